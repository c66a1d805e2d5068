/** The endpoints of running deployments: each has its runtime below `/runtime/{deployment_id}`. */
import type { Call, Route } from "./route";
import { createRun, joinRun, leftOfRun, newThreadRules } from "./runtimeRuns";
import { createThread, threadState } from "./runtimeThreads";
import type { Service } from "./service";
import { checkBody } from "./validation";

const THREADS = "/runtime/{deployment_id}/threads";
const RUNS = `${THREADS}/{thread_id}/runs`;

export function runtimeRoutes(service: Service): Route[] {
  return [
    {
      method: "POST",
      path: THREADS,
      handle: (call) => {
        checkBody(newThreadRules, call.body);
        return createThread(service, param(call, "deployment_id"));
      },
    },
    { method: "POST", path: RUNS, handle: (call) => createRun(service, ...thread(call), call.body) },
    {
      method: "GET",
      path: `${RUNS}/{run_id}/join`,
      heldMs: (call) => leftOfRun(service, ...thread(call), param(call, "run_id")),
      handle: (call) => joinRun(service, ...thread(call), param(call, "run_id")),
    },
    {
      method: "GET",
      path: `${THREADS}/{thread_id}/state`,
      handle: (call) => threadState(service, ...thread(call)),
    },
  ];
}

const param = ({ params }: Call, name: string): string => params[name] ?? "";
const thread = (call: Call): [deploymentId: string, threadId: string] => [
  param(call, "deployment_id"),
  param(call, "thread_id"),
];
