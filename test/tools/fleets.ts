import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
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

/** Starts a gateway; resolves, with its port, once it listens. */
export async function startGateway(file: string): Promise<{ child: ChildProcess; url: string }> {
  const program = join(process.cwd(), "dist/motelearn.js");
  const child = spawn(process.execPath, [program, "gateway", file, "--json"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface(child.stdout!);
  for await (const line of lines) {
    const { event, text } = JSON.parse(line);
    if (event !== "started") continue;
    const [url] = /https?:\/\/localhost:\d+/.exec(text)!;
    lines.close();
    child.stdout!.resume();
    return { child, url };
  }
  throw new Error("the gateway ended");
}

/** A TCP port of this machine at which nobody listens. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

export async function kill(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}
