import { nodeLayout, nodeLearner } from "../../src/node/node.ts";
import { nodeStore } from "../../src/node/schema.ts";
import { Station } from "../../src/node/station.ts";
import { selfTest, selfTestBytes } from "../../src/selftest/self-test.ts";
import { storeBytes } from "../../src/store/checkpoint-store.ts";
import { nodeOptionsOf, type ServedOptions } from "../emulator/programs/served-options.ts";
import { nativeF32 } from "../moddable/native-f32.ts";
import { FileFlash, type LinuxHost, StandardPort } from "./host.ts";

/** A whole node that is fed over its port, as the program's argument describes it. */
export interface NodeJob {
  readonly run: "station";
  readonly node: ServedOptions;
  /** The file that is its flash. */
  readonly flash: string;
}

const POLL_MS = 5;

/** Runs until stdin ends. Throws a RangeError that names what it can't take. */
export function runStation(host: LinuxHost, job: NodeJob): void {
  const node = nodeOptionsOf(job.node);
  const layout = nodeLayout(node);
  const memory = layout.range(
    nativeF32(new ArrayBuffer(Math.max(layout.bytes, selfTestBytes(nodeLearner(node))))),
  );
  const hashes = selfTest(nodeLearner(node), memory);
  const started = Date.now();
  const clock = { now: () => Date.now() - started };
  const storage = nodeStore(node, new FileFlash(job.flash, storeBytes(layout)), clock, 0, memory.f32);
  const port = new StandardPort();
  const about = { node, firmware: "motelearn linux", boot: host.noise(), fed: true, selfTest: hashes };
  const station = new Station(about, { clock, port, storage }, memory);
  station.begin(station.node.restore());
  while (!port.ended) {
    if (!station.poll()) port.pause(POLL_MS);
  }
}
