import { nodeLayout } from "../../src/node/node.ts";
import { startNode } from "../../src/start/start-node.ts";
import { storeBytes } from "../../src/store/checkpoint-store.ts";
import { nodeOptionsOf, type ServedOptions } from "../emulator/programs/served-options.ts";
import { keysOf } from "../moddable/keys.ts";
import { nativeF32 } from "../moddable/native-f32.ts";
import { FileFlash, type LinuxHost, StandardPort } from "./host.ts";

/** A whole node that is fed over its port, as the program's argument describes it. */
export interface NodeArgument {
  readonly run: "station";
  readonly node: ServedOptions;
  /** The file that is its flash. */
  readonly flash: string;
  /** Keys, 32 hex digits each: of its line, and of labels; default none. */
  readonly key?: string;
  readonly labelKey?: string;
}

/** Runs until stdin ends. Throws a RangeError that names what it can't take. */
export function runStation(host: LinuxHost, argument: NodeArgument): void {
  const options = nodeOptionsOf(argument.node);
  const transport = new StandardPort();
  const started = Date.now();
  const node = startNode({
    node: options,
    firmware: "motelearn linux",
    boot: host.noise(),
    ...keysOf(argument),
    random: () => host.noise(),
    clock: { now: () => Date.now() - started },
    transport,
    block: new FileFlash(argument.flash, storeBytes(nodeLayout(options))),
    memory: (bytes) => nativeF32(new ArrayBuffer(bytes)),
  });
  while (!transport.ended) transport.pause(node.turn());
}
