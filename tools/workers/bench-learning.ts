// A thread of `bench-learning`.
import { workerData } from "node:worker_threads";
import { answer } from "../../host-sim/sweep/threads.ts";
import { Performer } from "../bench/learning/perform.ts";
import type { Setting } from "../bench/learning/plan.ts";
import { isUsersFault } from "../cli/exit.ts";

const performer = new Performer(workerData as Setting);
answer((run: Parameters<Performer["perform"]>[0]) => performer.perform(run), isUsersFault);
