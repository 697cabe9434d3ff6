// A thread of `simulate`: nodes run here or, where its data say so, each in an XS machine.
import { workerData } from "node:worker_threads";
import { catalogueWith } from "../../host-sim/catalogue/plugins.ts";
import type { NodeMaker } from "../../host-sim/network/simulated-node.ts";
import type { ByteUart } from "../../host-sim/network/uart.ts";
import { type NetworkJob, perform } from "../../host-sim/runs/runs.ts";
import { answer } from "../../host-sim/runs/threads.ts";
import { type Machine, NodeOnXs } from "../../targets/emulator/node-on-xs.ts";

const { machine, plugin } = workerData as { readonly machine?: Machine; readonly plugin: readonly string[] };
const maker: NodeMaker | undefined = machine && {
  framing: "bytes",
  make: (parts) => new NodeOnXs(machine, { ...parts, uart: parts.uart as ByteUart }),
};
const catalogue = await catalogueWith(plugin);
answer((job: NetworkJob, reached) => perform(job, { maker, catalogue, reached }));
