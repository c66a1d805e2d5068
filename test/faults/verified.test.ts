/**
 * Runs random rollouts with a verification, many of them in one stack, with the real engine. Each revision gives a
 * right or a wrong reply, fails, or does not reply; some deployments restore the last good revision, and others do not.
 * The runs are killed at random requests, even during conversations. For a short run: FAULT_RUNS=16.
 */
import { isPlugin } from "../support/engine/form";
import { ProvenFleet } from "../support/faults/provenFleet";
import { Random, SEED } from "../support/faults/random";
import { tellFigures } from "../support/faults/size";

const RUNS = Number(process.env.FAULT_RUNS ?? (isPlugin ? 60 : 200));

test(`${RUNS} random rollouts make and serve the expected revisions, although the stack's runs are killed at random requests`, async () => {
  const random = new Random(SEED);
  const fleet = await ProvenFleet.on();
  const total = { rollouts: 0, killed: 0, killedInConversation: 0, restored: 0, unanswered: 0 };
  const stories: string[] = [];
  for (let round = 1; total.rollouts < RUNS; round += 1) {
    const { story, ...counts } = await fleet.round(random, round);
    for (const [name, count] of Object.entries(counts)) total[name as keyof typeof total] += count;
    if (story !== "") stories.push(`seed ${SEED}, round ${round}: ${story}`);
  }
  const { rollouts, killed, killedInConversation, restored, unanswered } = total;
  tellFigures(
    `verified rollouts${isPlugin ? ", plugin" : ""}: ${rollouts} drawn, ${killed} runs killed, ${killedInConversation} of them inside a conversation, ${restored} restored, ${unanswered} without a reply: ${stories.length} rounds not as the rule says`,
  );
  expect(stories.join("\n\n")).toBe("");
}, 3_600_000);
