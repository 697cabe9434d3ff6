import { DeviceError, DoesNotFitError, UserError } from "../../host/errors.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { nodeSchema } from "../../src/node/schema.ts";
import { type UpdateProgress, UpdateSender } from "../../src/peer/update.ts";
import { combinedHash } from "../../src/selftest/self-test.ts";
import { IMAGE_STATUS } from "../../src/store/paged-image.ts";
import { runFirmwareTest, runSelfTest } from "./same-bits.ts";
import type { Session } from "./session.ts";

/** Firmware for a running node. */
export interface Firmware {
  readonly image: Uint8Array;
  /** The options of the node that it makes. */
  readonly node: NodeOptions;
  /** True if it links every primitive, as an emulated board does, and not only what its learner calls. */
  readonly linksAll?: boolean;
  /** True if the node may start fresh if its checkpoint doesn't fit the firmware. */
  readonly fresh: boolean;
}

/** The schema of the checkpoints of a node that keeps none. */
export const NO_CHECKPOINT = "0".repeat(16);
/** Milliseconds for which a node may spare its flash: it may have just started, or taken another update. */
export const SPARE_MS = 15_000;
/** Shares of the image at which progress is printed. */
const PARTS = 10;

/** Reasons that end the transfer of an image. */
function refuseStatus({ status, room }: UpdateProgress, port: string, bytes: number): void {
  if (status === IMAGE_STATUS.noSlot)
    throw new DeviceError(`${port}: the board has no second slot of firmware; flash it once with --port`);
  if (status === IMAGE_STATUS.tooLong)
    throw new DoesNotFitError(`firmware of ${bytes} bytes: the node's slot has ${room}`);
  if (status === IMAGE_STATUS.failed)
    throw new DeviceError(
      `${port}: the node's flash failed to store the firmware; the node keeps its present one`,
    );
  if (status === IMAGE_STATUS.damaged)
    throw new DeviceError(
      `${port}: the node refuses the received image; the running firmware stays; try again`,
    );
}

/** What happens to the node's learned state. Throws a UserError if it would be lost without permission. */
function checkpointText(schema: string, { node, fresh }: Firmware, port: string): string {
  if (schema === NO_CHECKPOINT) return "the node keeps no checkpoint: it starts without what it learned";
  const own = nodeSchema(node);
  if (schema === own) return "the node resumes from its checkpoint";
  const differs = `its checkpoint has schema ${schema}, the new firmware ${own}`;
  if (fresh) return `the node starts fresh: ${differs}`;
  throw new UserError(
    `${port}: nothing was sent: the node would lose what it learned: ${differs}; give the options that it has, or --fresh`,
  );
}

/** Asks the node how much of that image it has. */
async function awaitProgress(session: Session, sender: UpdateSender): Promise<UpdateProgress> {
  session.peer.update = sender;
  await session.until(() => sender.progress !== undefined);
  return sender.progress as UpdateProgress;
}

async function sendAll(session: Session, sender: UpdateSender, bytes: number, tell: (line: string) => void) {
  let part = Math.floor((PARTS * (sender.progress?.received ?? 0)) / bytes);
  const from = session.clock.now();
  let isTold = false;
  sender.go();
  await session.until(() => {
    const { progress } = sender;
    if (!progress) return false;
    refuseStatus(progress, session.port.name, bytes);
    if (progress.status === IMAGE_STATUS.early && !isTold && session.clock.now() - from >= SPARE_MS) {
      tell("the node spares its flash, and takes this firmware within 10 minutes; waiting");
      isTold = true;
    }
    const now = Math.floor((PARTS * sender.sent) / bytes);
    if (now > part) tell(`sent ${(100 * now) / PARTS} % of ${bytes} bytes`);
    part = Math.max(part, now);
    return progress.status === IMAGE_STATUS.whole;
  });
}

/**
 * Sends firmware to a node over its wire, has the node start it, and waits until it runs. Resumes an
 * interrupted transfer. Throws a UserError, before it sends anything, if the node would lose its learned
 * state; a DoesNotFitError if its slot is too small; a DeviceError if the board can't be updated, or fell
 * back to its previous firmware.
 */
export async function sendFirmware(
  session: Session,
  firmware: Firmware,
  tell: (line: string) => void,
): Promise<void> {
  const { image, node, linksAll } = firmware;
  const port = session.port.name;
  const expected = combinedHash(linksAll ? runSelfTest(node) : runFirmwareTest(node));
  const sender = new UpdateSender(image, expected);
  await session.awaitHello();
  const first = await awaitProgress(session, sender);
  if (first.status === IMAGE_STATUS.runs) return tell("the node runs this firmware already");
  refuseStatus(first, port, image.length);
  tell(checkpointText(first.schema, firmware, port));
  if (first.status === IMAGE_STATUS.coming && first.received > 0)
    tell(`${first.received} of ${image.length} bytes are there already`);
  await sendAll(session, sender, image.length, tell);
  const { starts } = session.peer.counts;
  sender.activate();
  await session.until(() => {
    if (sender.progress) refuseStatus(sender.progress, port, image.length);
    return session.peer.counts.starts > starts;
  });
  const last = await awaitProgress(session, new UpdateSender(image, expected));
  session.peer.update = undefined;
  if (last.status !== IMAGE_STATUS.runs)
    throw new DeviceError(
      `${port}: the node fell back to its previous firmware: the new one computed other bits, or crashed`,
    );
  tell("the new firmware runs");
}
