// Runs the test files that are given in this one process: half of a short file's time is its start.
import { run } from "uvu/run";

await run(process.argv.slice(2).map((file) => ({ name: file, file })));
