/** Tests that end, and with which everything ends that they started: a file that fails reports it, and doesn't hang. */
import type { ChildProcess } from "node:child_process";
import { test as plain } from "uvu";
import { awaited, awaitedNow, LIMIT_MS } from "./awaited.ts";

/** A test ends after its last wait would have, and before `dev/test.mjs` ends its file. */
const TEST_LIMIT_MS = LIMIT_MS + 200_000;
const END_LIMIT_MS = 10_000;

/** What runs, each with how it is ended; what began first stands first. */
const running = new Set<() => unknown>();

/**
 * Has `end` called when the test is over, however it ended. What a file starts in `test.before` it ends itself.
 * @returns to be called once that has ended otherwise.
 */
export function endsWithTest(end: () => unknown): () => void {
  running.add(end);
  return () => running.delete(end);
}

/** The processes, each with what keeps it beyond its test. */
const children = new Map<ChildProcess, () => void>();
process.on("exit", () => {
  for (const child of children.keys()) child.kill("SIGKILL");
});

/** True if a process has ended. */
export function hasEnded({ child }: { readonly child: ChildProcess }): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** Has a process end with its test, and at the latest with this one. */
export function childOfTest<C extends ChildProcess>(child: C): C {
  const over = endsWithTest(() => child.kill("SIGKILL"));
  children.set(child, over);
  child.once("exit", () => {
    children.delete(child);
    over();
  });
  return child;
}

/** Has a process outlive the test that started it: later tests use it, and the file ends it. */
export function forLaterTests(child: ChildProcess): void {
  children.get(child)?.();
}

/**
 * Sends a process the signal.
 * @returns its exit code, or the signal that ended it, once it has ended.
 */
export async function ended(child: ChildProcess, by?: NodeJS.Signals): Promise<number | string | null> {
  const { spawnargs, pid } = child;
  const over = new Promise<void>((done) => {
    if (hasEnded({ child })) done();
    else child.once("exit", () => done());
  });
  if (by) child.kill(by);
  await awaited(`process ${pid} to end`, over, () => spawnargs.slice(1).join(" "));
  return child.exitCode ?? child.signalCode;
}

/** Ends what began since, the last first. What fails then isn't reported: the test's own error is. */
async function endAll(since: ReadonlySet<() => unknown>): Promise<void> {
  for (const end of [...running].reverse()) {
    if (since.has(end)) continue;
    running.delete(end);
    const ending = Promise.resolve().then(end);
    await awaited("an end", ending, () => "nothing", END_LIMIT_MS).catch(() => {});
  }
}

/** uvu's `test`, with a time limit that names what the test awaited last. */
export const test = Object.assign(
  (name: string, act: () => unknown, limitMs = TEST_LIMIT_MS): void =>
    plain(name, async () => {
      const before = new Set(running);
      const acting = Promise.resolve().then(act);
      const waits = () => awaitedNow().join("; ") || "no wait that is named";
      await awaited("the test's end", acting, waits, limitMs).finally(() => endAll(before));
    }),
  { before: plain.before, after: plain.after, run: plain.run },
);
