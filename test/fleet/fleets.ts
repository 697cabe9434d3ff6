import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { awaited } from "../tools/awaited.ts";
import { childOfTest, ended } from "../tools/contained.ts";
import "./fresh-connections.ts";
import { inFolder } from "../tools/stations.ts";

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
  /** Resolves with the text of the first line of its log that has that event, as soon as there is one; rejects if it ended without. */
  readonly says: (event: string) => Promise<string>;
  /** Lines of its log until now that have that event. */
  readonly count: (event: string) => number;
}

/** Starts a gateway; resolves, with its port, once it listens. */
export async function startGateway(file: string, env: NodeJS.ProcessEnv = {}): Promise<StartedGateway> {
  const program = join(process.cwd(), "dist/motelearn.js");
  const child = childOfTest(
    spawn(process.execPath, [program, "gateway", file, "--json"], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, ...env },
    }),
  );
  const said = new Map<string, string>();
  const counts = new Map<string, number>();
  const looks = new Set<() => void>();
  const look = () => {
    for (const each of looks) each();
  };
  createInterface(child.stdout!).on("line", (line) => {
    const { event, text } = JSON.parse(line);
    if (!said.has(event)) said.set(event, text);
    counts.set(event, (counts.get(event) ?? 0) + 1);
    look();
  });
  let over = false;
  child.once("close", () => {
    over = true;
    look();
  });
  const saying = (event: string) =>
    new Promise<string>((resolve, reject) => {
      const each = () => {
        const text = said.get(event);
        if (text !== undefined) resolve(text);
        else if (over) reject(new Error(`the gateway of ${file} ended without saying ${event}`));
        else return;
        looks.delete(each);
      };
      looks.add(each);
      each();
    });
  const says = (event: string) =>
    awaited(`a gateway to say ${event}`, saying(event), () => JSON.stringify([...said]));
  const [url] = /https?:\/\/localhost:\d+/.exec(await says("started"))!;
  return { child, url, says, count: (event) => counts.get(event) ?? 0 };
}

export async function kill(child: ChildProcess): Promise<void> {
  await ended(child, "SIGKILL");
}
