// Runs several test files in one process: half of a short file's time is its start.
import { run } from "uvu/run";

await run(process.argv.slice(2).map((file) => ({ name: file, file })));
