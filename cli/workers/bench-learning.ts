// A thread of `bench-learning`.
import { workerData } from "node:worker_threads";
import { answer } from "../../host-sim/runs/threads.ts";
import { Performer } from "../../lab/bench/learning/perform.ts";
import type { Setting } from "../../lab/bench/learning/plan.ts";

const performer = new Performer(workerData as Setting);
answer((run: Parameters<Performer["perform"]>[0]) => performer.perform(run));
