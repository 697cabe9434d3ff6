// A thread of `simulate`: runs the jobs that it is sent, one at a time.
import { parentPort } from "node:worker_threads";
import { faultOf, type Job, runJob } from "./jobs.ts";

parentPort?.on("message", async (job: Job) => {
  try {
    parentPort?.postMessage({ outcome: await runJob(job) });
  } catch (error) {
    parentPort?.postMessage({ fault: faultOf(error as Error) });
  }
});
