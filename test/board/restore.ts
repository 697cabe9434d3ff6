// Teaches a board over its wire, copies its memory, teaches it more, and gives the copy back, as a process: node restore.mjs
// '{"port":ADDRESS,"node":OPTIONS}'. Then it teaches on, and a node on this machine with that copy the same. Prints the
// outcome as JSON.
import { SensorNode } from "../../src/node/node.ts";
import { NO_STORAGE } from "../../src/node/ports.ts";
import type { Message } from "../../src/wire/messages.ts";
import { nodeOptionsOf } from "../../targets/emulator/programs/served-options.ts";
import { CopyTaker, restorable } from "../../tools/gateway/copy.ts";
import { SampleParts } from "../../tools/record/sample-parts.ts";
import { sendCopy } from "../../tools/session/send-copy.ts";
import { Session } from "../../tools/session/session.ts";
import { LabelQueue } from "../peer/label-queue.ts";

const LABELS = 12;
const { port, node } = JSON.parse(process.argv[2]);

const copier = new CopyTaker();
const labels = new LabelQueue();
const parts = new SampleParts();
const samples = new Map<string, Float32Array>();
const labelOf = (seq: number) => (seq % 3 ? 1 : -1);

const session = await Session.open({
  port,
  giveUp: 60,
  labels,
  events: {
    message: (name, message) => {
      if (name === "memory") copier.take(message as unknown as Message<"memory">);
      if (name !== "sample") return;
      const { sid, seq } = message as unknown as Message<"sample">;
      const x = parts.take(message as unknown as Message<"sample">);
      if (x) samples.set(`${sid} ${seq}`, Float32Array.from(x));
    },
  },
});
const { peer } = session;

/** Has the board learn so many more labels, each of the sample after the last labelled. Returns the samples' numbers. */
async function teach(count: number): Promise<number[]> {
  const { labelled, sid, seq } = peer.node;
  const numbers = Array.from({ length: count }, (_, k) => seq + 1 + k);
  await session.until(() => numbers.every((number) => samples.has(`${sid} ${number}`)));
  for (const number of numbers) labels.add({ sid, seq: number, y: labelOf(number) });
  await session.until(() => peer.node.labelled === labelled + count);
  return numbers;
}

const hashOf = ({ learnerHigh, learnerLow }: Message<"state">) =>
  [learnerHigh, learnerLow].map((word) => word.toString(16).padStart(8, "0")).join("");

await session.met();
await session.configure({ samples: 1, statisticsMs: 0 });
await teach(LABELS);
const copied = await copier.copy(session, node.options);
const copy = restorable({ id: 1, time: 0, ...copied });
await teach(LABELS);
const before = peer.node.sid;
const hello = await sendCopy(session, copy, () => performance.now());
const restored = hashOf(await session.ask("state"));
const taught = await teach(LABELS);
const after = hashOf(await session.ask("state"));

const beside = new SensorNode(
  nodeOptionsOf(node),
  { now: () => 0 },
  { predicted() {}, acknowledge() {} },
  NO_STORAGE,
);
beside.range.f32.bits.set(copy.words, beside.range.state);
beside.renew(hello.sid);
for (let seq = hello.since + 1; seq <= taught[taught.length - 1]; seq++) {
  const x = samples.get(`${hello.sid} ${seq}`);
  if (x) beside.sample(x);
}
for (const seq of taught) beside.label({ number: beside.labelled + 1, sid: hello.sid, seq, y: labelOf(seq) });

console.log(
  JSON.stringify({
    isNewSession: hello.sid !== before,
    copy: copy.hash,
    restored,
    after,
    beside: beside.learner.stateHash(),
    labelled: [copy.labelled, hello.labelled, beside.labelled],
  }),
);
await session.close();
