// The embedded service in a separate process, started with `npx --no-install deployment-control emulator`.
import path from "node:path";
import { createInterface } from "node:readline";
import { pinnedNode, root, Stop } from "../steps.mjs";
import { endOf, startChild } from "./children.mjs";

const command = path.join(root, "dist", "sdk", "cli", "main.js");

/** Starts the service on a free port: `{url, control, stop}`. `options`: the command's options, such as `--hosting`. */
export async function startEmbeddedService(key, options) {
  const stdio = ["ignore", "pipe", "pipe"];
  const started = startChild(pinnedNode, [command, "emulator", "--port", "0", "--api-key", key, ...options], {
    stdio,
  });
  const stop = async () => {
    started.child.kill("SIGTERM");
    await started.ended;
  };
  try {
    const url = await addressOf(started);
    return { url, stop, control: (name, body) => askControl(url, key, name, body) };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function addressOf(started) {
  let complaint = "";
  started.child.stderr.on("data", (text) => {
    complaint += text;
  });
  const lines = createInterface({ input: started.child.stdout });
  const listening = new Promise((resolve) => {
    lines.on("line", (line) => {
      const address = /^listening on (\S+)$/.exec(line);
      if (address) resolve(address[1]);
    });
  });
  const ended = endOf(started).then((code) => {
    throw new Stop(`the embedded service ended with code ${code}: ${complaint.trim()}`);
  });
  return Promise.race([listening, ended]);
}

/**
 * Sends a control call, which a real service does not have: a GET of the service's state, or a POST that acts as
 * another user.
 */
async function askControl(url, key, name, body) {
  const headers = { "X-Api-Key": key };
  const request = body && {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  const response = await fetch(`${url}/_emulator/${name}`, request ?? { headers });
  if (!response.ok) throw new Stop(`the embedded service refuses ${name}: ${await response.text()}`);
  return response.json();
}
