// Loaded before a test file. It writes the exit code to file 3 when the file's process has nothing left to run: Node itself may hang after that
// (nodejs/node issue 54918), as it waits for a compiler's thread, which waits for a collection of garbage.
import { writeSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const REPORT = 3;
if (isMainThread) process.on("exit", (code) => writeSync(REPORT, `${code}`));
