// A thread of `simulate`: nodes run here or, where its data say so, each in an XS machine.
import { workerData } from "node:worker_threads";
import { answerJobs } from "../../host-sim/sweep/worker.ts";
import { type Machine, NodeOnXs } from "../../targets/emulator/node-on-xs.ts";

const machine = workerData as Machine | undefined;
answerJobs(machine && ((options, acknowledge) => new NodeOnXs(machine, options, acknowledge)));
