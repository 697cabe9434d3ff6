import { randomInt } from "node:crypto";
import { DeviceError, DifferentStateError } from "../../host/errors.ts";
import { type GivenCopy, makeCheckpoint } from "../../host-sim/state/copy-file.ts";
import { OrderedStateSender } from "../../src/peer/ordered-state.ts";
import type { NodePosition } from "../../src/peer/position.ts";
import { type UpdateProgress, UpdateSender } from "../../src/peer/update.ts";
import { IMAGE_STATUS, type ImageStatus } from "../../src/store/paged-image.ts";
import { LabelTag } from "../../src/wire/label-tag.ts";
import type { Hello } from "./hello.ts";
import { NO_CHECKPOINT, SPARE_MS } from "./send-firmware.ts";
import type { Session } from "./session.ts";
import { stateFields } from "./state-fields.ts";

/** Milliseconds within which a node answers that it takes a copy: else its firmware can't. */
const ANSWER_MS = 5000;

/**
 * The schema hash of the node's checkpoints; undefined: the node keeps none.
 * @param now throws where time is over.
 */
export async function requestSchema(session: Session, now: () => number): Promise<string | undefined> {
  const sender = new UpdateSender(new Uint8Array(0), 0, "ask");
  session.peer.update = sender;
  try {
    await session.until(() => now() > 0 && sender.progress !== undefined);
  } finally {
    session.peer.update = undefined;
  }
  const schema = sender.progress?.schema;
  return schema === NO_CHECKPOINT ? undefined : schema;
}

/** Why a node that keeps checkpoints doesn't take a copy with a tag, or without one. */
function keyText(isTagged: boolean): string {
  return isTagged
    ? "the node has no label key, so it takes no copy with a tag: leave the label key out"
    : "the node takes no copy without a tag: give its label key; if it has none, its firmware is from before there were copies";
}

/** Why a node doesn't take a copy; undefined: it still may. */
function refusal(
  { status, schema }: UpdateProgress,
  checkpoint: string,
  { isTagged, sent }: { readonly isTagged: boolean; readonly sent: number },
): string | undefined {
  const reasons: { readonly [status in ImageStatus]?: string } = {
    [IMAGE_STATUS.noSlot]:
      schema === NO_CHECKPOINT
        ? "the node has no flash for checkpoints, so it takes no copy back"
        : keyText(isTagged),
    [IMAGE_STATUS.forged]:
      sent > 0
        ? "the copy's bytes aren't those that the tag names; the node keeps its own state"
        : "the label key isn't the node's, so it takes no copy; nothing was changed",
    [IMAGE_STATUS.other]: `the copy is of another learner, other options or other firmware: its schema is ${checkpoint}, the node's ${schema}; nothing was changed`,
    [IMAGE_STATUS.damaged]: "the copy came damaged to the node; nothing was changed; try again",
    [IMAGE_STATUS.unsound]:
      "the copy holds a state that no such node can have; the node resumed from the checkpoint that it kept before the copy",
    [IMAGE_STATUS.failed]: "the node's flash doesn't keep the copy; nothing was changed",
  };
  return reasons[status];
}

/** Sends the copy as one of its own, whether or not the same copy was sent before. */
function makeSender(copy: GivenCopy, node: NodePosition, labelKey: Uint8Array | undefined): UpdateSender {
  const number = randomInt(1, 2 ** 32 - 1);
  if (!labelKey) return new UpdateSender(makeCheckpoint(copy), number, "restore");
  return new OrderedStateSender(makeCheckpoint(copy, number), new LabelTag(labelKey), node);
}

/**
 * Has the node resume from the copy. Resolves with the hello of the start that follows. Throws a DeviceError if
 * the node doesn't take it, a DifferentStateError if the node has another state after it.
 * @param now milliseconds; throws where time is over.
 * @param labelKey of the node, 16 bytes; default: it has none.
 */
export async function sendCopy(
  session: Session,
  copy: GivenCopy,
  now: () => number,
  labelKey?: Uint8Array,
): Promise<Hello> {
  const { boot } = await session.awaitHello();
  const { peer, port } = session;
  if (peer.update) throw new DeviceError(`${port.name}: something else is being sent to the node`);
  const sender = makeSender(copy, peer.node, labelKey);
  const begunAt = now();
  peer.update = sender;
  sender.go();
  try {
    await session.until(() => {
      const { progress, sent } = sender;
      const why = progress && refusal(progress, copy.checkpoint, { isTagged: labelKey !== undefined, sent });
      if (why) throw new DeviceError(`${port.name}: ${why}`);
      if (progress?.status === IMAGE_STATUS.early && now() - begunAt >= SPARE_MS)
        throw new DeviceError(
          `${port.name}: the node spares its flash: it takes as many copies as its interval of checkpoints allows; try again later`,
        );
      if (now() - begunAt >= ANSWER_MS && sent === 0 && progress?.status === IMAGE_STATUS.none)
        throw new DeviceError(`${port.name}: the node's firmware can't restore a copy: flash the node again`);
      return sender.isDone && session.hello?.boot !== boot && peer.credit.largest > 0;
    });
  } finally {
    peer.update = undefined;
  }
  const hello = session.hello as Hello;
  await checkState(session, hello, copy);
  return hello;
}

async function checkState(session: Session, { since }: Hello, copy: GivenCopy): Promise<void> {
  const { labelled, seq, stateHash } = stateFields(await session.ask("state"));
  const isSame = labelled !== copy.labelled || seq !== copy.seq || stateHash === copy.hash;
  if (since !== copy.seq || !isSame)
    throw new DifferentStateError(
      `${session.port.name}: the node resumed after sample ${since} with the learner's hash ${stateHash}, ` +
        `the copy was after sample ${copy.seq} with ${copy.hash}`,
    );
}
