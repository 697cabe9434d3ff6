import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import * as assert from "uvu/assert";
import { awaited } from "./awaited.ts";
import "./fresh-connections.ts";
import { hasEnded } from "./growing.ts";
import { inFolder } from "./stations.ts";

/** Writes a fleet file whose gateway takes any port that is free. */
export function fleet(name: string, nodes: readonly object[], rest: object = {}): string {
  const file = inFolder(`${name}.json`);
  writeFileSync(
    file,
    JSON.stringify({ schema: "motelearn.fleet/1", port: 0, store: `${name}.db`, nodes, ...rest }),
  );
  return file;
}

export interface StartedGateway {
  readonly child: ChildProcess;
  readonly url: string;
  /** Resolves with the text of the first line of its log that has that event, as soon as there is one. */
  readonly says: (event: string) => Promise<string>;
}

/** Starts a gateway; resolves, with its port, once it listens. */
export async function startGateway(file: string, env: NodeJS.ProcessEnv = {}): Promise<StartedGateway> {
  const program = join(process.cwd(), "dist/motelearn.js");
  const child = spawn(process.execPath, [program, "gateway", file, "--json"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...env },
  });
  const said = new Map<string, string>();
  const lines = createInterface(child.stdout!).on("line", (line) => {
    const { event, text } = JSON.parse(line);
    if (!said.has(event)) said.set(event, text);
  });
  const saying = async (event: string) => {
    while (!said.has(event)) {
      assert.not.ok(hasEnded({ child }), "the gateway ended");
      await Promise.race([once(lines, "line"), once(child, "exit")]);
    }
    return said.get(event) as string;
  };
  const says = (event: string) =>
    awaited(`a gateway to say ${event}`, saying(event), () => JSON.stringify([...said]));
  const [url] = /https?:\/\/localhost:\d+/.exec(await says("started"))!;
  return { child, url, says };
}

export async function kill(child: ChildProcess): Promise<void> {
  if (hasEnded({ child })) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}
