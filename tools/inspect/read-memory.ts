import { DeviceError, DifferentStateError } from "../../host/errors.ts";
import type { NodeCopy } from "../../host-sim/state/node-copy.ts";
import type { Message } from "../../src/wire/messages.ts";
import type { Session } from "../session/session.ts";
import { stateFields } from "../session/state-fields.ts";
import type { Snapshot } from "./snapshot.ts";

/** Milliseconds without a part before it requests missing ones again. */
const ASK_MS = 300;
/** How often it reads again what samples changed meanwhile. */
const ROUNDS = 8;

/**
 * Reads the parts of the node's memory that the snapshot lacks. Returns whether all came.
 * @param patienceMs milliseconds without a part after which it gives up; default: it never does.
 */
export async function readMemory(
  session: Session,
  snapshot: Snapshot,
  now: () => number,
  patienceMs = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  let had = -1;
  let at = Number.NEGATIVE_INFINITY;
  let cameAt = now();
  await session.until(() => {
    const { missing, parts } = snapshot;
    if (!missing) return true;
    if (parts !== had) {
      at = had < 0 ? at : now();
      cameAt = now();
    }
    had = parts;
    if (now() - at >= ASK_MS) {
      at = now();
      session.peer.inspect(snapshot.base + missing.first, missing.count);
    }
    return now() - cameAt >= patienceMs;
  });
  return snapshot.missing === undefined;
}

/** The hashes that confirmed a copy. */
interface CopyHashes {
  readonly state: Message<"state">;
  /** True if the whole node's hash was confirmed; false if samples changed it faster than it was read. */
  readonly whole: boolean;
}

/**
 * Copies the node's memory: the learner's part, confirmed by the node's hash, and the rest, confirmed by the
 * whole hash if samples leave time for it. Throws a DifferentStateError where the learner's hash differs.
 */
export async function copyMemory(
  session: Session,
  snapshot: Snapshot,
  copy: NodeCopy,
  now: () => number,
): Promise<CopyHashes> {
  for (let round = 1; ; round++) {
    await readMemory(session, snapshot, now);
    const state = await session.ask("state");
    const { stateHash, nodeHash } = stateFields(state);
    copy.load(snapshot.words);
    const { learner, whole } = copy.hashes;
    const same = state.labelled === snapshot.labelled && learner === stateHash;
    const allSame = same && whole === nodeHash;
    if (allSame || (same && round === ROUNDS)) {
      if (copy.fault)
        throw new DeviceError(`${session.port.name}: no such node can have this state: ${copy.fault}`);
      return { state, whole: allSame };
    }
    if (round === ROUNDS)
      throw new DifferentStateError(
        `${session.port.name}: the node's learner has hash ${stateHash}, and what was read of it ${learner}: it has other options`,
      );
    const { from, to } = copy.learnerWords;
    snapshot.refresh(same ? from : 0, same ? to : 0, state.seq);
  }
}
