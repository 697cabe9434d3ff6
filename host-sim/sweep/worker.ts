import type { MakeNode } from "../network/driven-node.ts";
import { isGiven, type Job, runJob } from "./runs.ts";
import { answer } from "./threads.ts";

/** In a thread of `simulate`: runs the jobs that it is sent, one at a time, with nodes made so. */
export function answerJobs(makeNode?: MakeNode): void {
  answer((job: Job) => runJob(job, makeNode), isGiven);
}
