import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import * as assert from "uvu/assert";
import { lock } from "../../fleet/gateway/lock.ts";
import { childOfTest, test } from "../tools/contained.ts";
import { inFolder } from "../tools/stations.ts";

/** A process that does nothing; with `file` it holds that lock, as a gateway does. */
async function running(program: string, options: readonly string[]): Promise<ChildProcess> {
  const child = childOfTest(spawn(program, options, { stdio: ["pipe", "pipe", "ignore"] }));
  await once(child, "spawn");
  return child;
}
const idle = () => running("sleep", ["1000"]);
const idleNode = () => running(process.execPath, ["-e", "setInterval(() => {}, 1e6)"]);

/** What the lock of this process says, with another number. */
function written(pid: number | undefined, change: (words: string[]) => void = () => {}): string {
  const file = inFolder("words");
  const unlock = lock(file);
  const words = readFileSync(`${file}.pid`, "latin1").trim().split(" ");
  unlock();
  words[0] = String(pid);
  change(words);
  return `${words.join(" ")}\n`;
}

/** True if a lock of that text is taken over. @param pause while it is watched for a sign of life. */
function isTaken(text: string, pause: (path: string) => void = () => {}): boolean {
  const file = inFolder("fleet.db");
  writeFileSync(`${file}.pid`, text);
  try {
    lock(file, () => pause(`${file}.pid`))();
    assert.is(existsSync(`${file}.pid`), false);
    return true;
  } catch (error) {
    assert.match(
      (error as Error).message,
      /^\S+: (process \d+ uses it; if that is no gateway, remove \S+|a gateway of another machine or container uses it; .*)$/,
    );
    return false;
  }
}

test("a lock of a process that has ended is taken over, also when another has its number since", async () => {
  const { pid } = await idleNode();
  assert.is(isTaken(written(pid)), true); // it started at another time than this process
  assert.is(isTaken(written(pid, (words) => words.splice(1, 1, "an-earlier-start-of-the-system"))), true);
  for (const text of ["", "\n", "0\n", "-1\n", "nothing", "1e999", "99999999\n", `${process.pid}\n`])
    assert.is(isTaken(text), true, text);
});

test("a lock that has a number alone is of an earlier gateway: another program isn't one", async () => {
  const [other, node] = [await idle(), await idleNode()];
  assert.is(isTaken(`${other.pid}\n`), true);
  assert.is(isTaken(`${node.pid}\n`), false);
});

test("a gateway that another displaced leaves that one's lock", () => {
  const file = inFolder("displaced");
  const unlock = lock(file);
  writeFileSync(`${file}.pid`, "1 another\n");
  unlock();
  assert.is(readFileSync(`${file}.pid`, "latin1"), "1 another\n");
});

test("a lock whose process runs is held", async () => {
  const { pid } = await idleNode();
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const start = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  assert.is(isTaken(written(pid, (words) => words.splice(2, 1, start))), false);
});

test("a lock of another machine or container is held while somebody touches it, whatever number it has here", async () => {
  const words = {
    container: (all: string[]) => all.splice(3, 1, "pid:[1]"),
    machine: (all: string[]) => all.splice(1, 1, "another-system"),
  };
  for (const change of Object.values(words))
    for (const pid of [process.pid, (await idleNode()).pid]) {
      assert.is(isTaken(written(pid, change)), true);
      let touches = 0;
      const touch = (path: string) => utimesSync(path, 1, ++touches);
      assert.is(isTaken(written(pid, change), touch), false);
    }
});

test.run();
