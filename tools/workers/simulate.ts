// A thread of `simulate`: nodes run here or, where its data say so, each in an XS machine.
import { workerData } from "node:worker_threads";
import type { MakeNode } from "../../host-sim/network/driven-node.ts";
import { answerJobs } from "../../host-sim/sweep/worker.ts";
import { type Machine, NodeOnXs } from "../../targets/emulator/node-on-xs.ts";
import { blamePlugin, catalogueWith } from "../cli/plugins.ts";

const { machine, plugin } = workerData as { readonly machine?: Machine; readonly plugin: readonly string[] };
const makeNode: MakeNode | undefined =
  machine && ((options, acknowledge) => new NodeOnXs(machine, options, acknowledge));
answerJobs(makeNode, await catalogueWith(plugin), blamePlugin);
