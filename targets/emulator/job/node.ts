import type { Host } from "./host.ts";
import { runJob } from "./job.ts";
import { subjects } from "./subjects.ts";

// The job as the machines get it: `node node.mjs JOB`; the job "names" lists what can be run. Memory and instructions are the engine's own affair here.
const host: Host = {
  print: (line) => console.log(line),
  job: () => process.argv[2],
  slots: () => 0,
  chunks: () => 0,
  collections: () => 0,
  collect: () => {},
  instructions: () => 0,
};

if (host.job() === '"names"') host.print(JSON.stringify([...subjects().map(({ name }) => name), "node"]));
else runJob(host);
