// Teaches a board over its wire, copies its memory, teaches it more, and gives the copy back, as a process: node restore.mjs
// '{"port":ADDRESS,"node":OPTIONS,"labelKey":HEX}'. With a label key it first gives the copy without its tag. Then it teaches on, and a node on this machine with that copy the same. Prints the
// outcome as JSON.

import { CopyTaker, restorable } from "../../fleet/gateway/copy.ts";
import { loneNode } from "../../host-sim/state/lone-node.ts";
import { CERTAIN, SOURCE_UNTOLD } from "../../src/node/ports.ts";
import { LabelTag } from "../../src/wire/label-tag.ts";
import { servedNodeOptions } from "../../targets/emulator/programs/served-options.ts";
import { Stream } from "../../targets/emulator/programs/stream.ts";
import { sendCopy } from "../../tools/session/send-copy.ts";
import { Session } from "../../tools/session/session.ts";
import { stateFields } from "../../tools/session/state-fields.ts";
import { LabelQueue } from "../peer/label-queue.ts";

const LABELS = 12;
/** The samples in all: before the copy, after it, and again after the copy. */
const SAMPLES = 3 * LABELS;
const { port, node, labelKey } = JSON.parse(process.argv[2]);
const key = labelKey === undefined ? undefined : Uint8Array.from(Buffer.from(labelKey, "hex"));
const tag = key && new LabelTag(key);

const options = servedNodeOptions(node);
const stream = new Stream(options.channels);
const readings = Array.from({ length: SAMPLES }, () => {
  stream.next(options.learner.task);
  return Float32Array.from(stream.x);
});
const readingsAt = (seq: number) => readings[(seq - 1) % SAMPLES];
const labelAt = (seq: number) => (seq % 3 ? 1 : -1);

const copier = new CopyTaker();
const labels = new LabelQueue();
let released = 0; // samples that the node may have: none comes while its memory is read
const session = await Session.open({
  port,
  giveUp: 60,
  labels,
  samples: { at: (seq) => (seq <= released ? { x: readingsAt(seq) } : undefined) },
  events: {
    message: (name, message) => {
      if (name === "memory") copier.take(message);
    },
  },
});
const { peer } = session;

/** A label with its tag, if the node has a label key. */
function tagged(label: { readonly sid: number; readonly seq: number; readonly y: number }) {
  if (!tag) return label;
  tag.compute({ ...label, source: SOURCE_UNTOLD, confidence: CERTAIN });
  return { ...label, tag: [tag.low, tag.high] };
}

/** Feeds the board so many more samples, and has it learn a label of each. Returns the samples' numbers. */
async function teach(count: number): Promise<number[]> {
  const { labelled, sid, seq } = peer.node;
  const numbers = Array.from({ length: count }, (_, k) => seq + 1 + k);
  released = seq + count;
  await session.until(() => peer.node.seq === released);
  for (const number of numbers) labels.add(tagged({ sid, seq: number, y: labelAt(number) }));
  await session.until(() => peer.node.labelled === labelled + count);
  return numbers;
}

await session.awaitHello();
await session.configure({ statisticsMs: 0 });
await teach(LABELS);
const copied = await copier.copy(session, node.options);
const copy = restorable({ id: 1, time: 0, ...copied });
await teach(LABELS);
const before = peer.node.sid;
released = copy.seq;
const now = () => performance.now();
const untagged = key && (await sendCopy(session, copy, now).catch((error: Error) => error.message));
const hello = await sendCopy(session, copy, now, key);
const restored = stateFields(await session.ask("state")).stateHash;
const taught = await teach(LABELS);
const after = stateFields(await session.ask("state")).stateHash;

const beside = loneNode(options);
beside.range.f32.bits.set(copy.words, beside.range.state);
beside.renew(hello.sid);
for (const seq of taught) beside.sample(readingsAt(seq));
for (const seq of taught) beside.label({ number: beside.labelled + 1, sid: hello.sid, seq, y: labelAt(seq) });

console.log(
  JSON.stringify({
    untagged,
    isNewSession: hello.sid !== before,
    copy: copy.hash,
    restored,
    after,
    beside: beside.learner.stateHash(),
    labelled: [copy.labelled, hello.labelled, beside.labelled],
  }),
);
await session.close();
