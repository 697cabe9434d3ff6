import { OptionError } from "../memory/option-error.ts";
import type { FrameBytes } from "../wire/frame-bytes.ts";
import { KEY_BYTES, KeyedNode } from "../wire/keyed.ts";
import { LABEL_TAG_BYTES } from "../wire/label-tag.ts";
import { FRAME_MAX } from "../wire/messages.ts";
import { ANSWERS } from "./answers.ts";
import { Framing, framingBytes } from "./framing.ts";
import type { NodeOptions } from "./node-options.ts";
import { OUTBOX_BYTES } from "./outbox.ts";
import type {
  BytePort,
  Clock,
  EngineFigures,
  FirmwareSlots,
  FramePort,
  PortLimits,
  Storage,
} from "./ports.ts";
import type { ReportSchedule } from "./reports.ts";

const SELF_TEST_MAX = 64;
const DESCRIPTION_MAX = 0xffff;

/** Options of a station. */
export interface StationOptions {
  /** The node behind the port. */
  readonly node: NodeOptions;
  /** Name and version of the firmware: 16 characters of ASCII are sent. */
  readonly firmware: string;
  /** A number that no other start of this node has had: random, or counted in flash. */
  readonly boot: number;
  /** The text of message description, see `describeNode`; default "": the node describes none. */
  readonly description?: string;
  /** Why the node started: a `reason` of message reset; default 0, unknown. */
  readonly reset?: number;
  /** True if the peer feeds recorded samples, because there is no sensor; default false. */
  readonly fed?: boolean;
  /**
   * True if a number is the same sample in each start, as of a played recording: the session stays `node.sid`, also after a rollback or a state from
   * elsewhere. Default false: each start begins a session.
   */
  readonly keepsSession?: boolean;
  /** Hashes that `selfTest` gave; default none. */
  readonly selfTest?: Uint32Array;
  /** Bytes of frames that may wait to be sent over a `BytePort`, at least 256; default 512. */
  readonly outbox?: number;
  /** Samples between two reports of statistics; default 0: never. */
  readonly statisticsEvery?: number;
  /** Milliseconds between two reports of statistics; 0: never; default 10,000. */
  readonly statisticsMs?: number;
  /** True if predictions are reported; default true. */
  readonly predictions?: boolean;
  /** True if raw samples are reported; default false. */
  readonly samples?: boolean;
  /** The line's key, 16 bytes: the station takes only frames with its tag. Default none: anyone who can write on the line can teach. */
  readonly key?: Uint8Array;
  /** The label key, 16 bytes: the node learns only labels, and takes only models and states, with its tag. Default none. */
  readonly labelKey?: Uint8Array;
}

/** A station's interfaces to its board. */
export interface StationPorts {
  /** Its time, which never wraps. */
  readonly clock: Clock;
  /** Bytes, which the station frames, or whole messages. */
  readonly port: BytePort | FramePort;
  /** Where checkpoints are saved. */
  readonly storage: Storage;
  /** The engine's memory use, for reports; default: 0. */
  readonly engine?: EngineFigures;
  /** Slots of firmware; default none: it can't be updated over the wire. */
  readonly slots?: FirmwareSlots;
  /** 32 unpredictable bits; a key needs it. */
  readonly random?: () => number;
}

/**
 * Exact bytes of a station's buffers, without its node's: those that `new Station` makes on such a
 * `BytePort`.
 */
export function stationBytes(
  { node, outbox = OUTBOX_BYTES, fed = false, key, labelKey }: StationOptions,
  limits?: PortLimits,
): number {
  const tag = labelKey ? LABEL_TAG_BYTES : 0;
  return framingBytes(outbox, limits, key !== undefined) + ANSWERS + (fed ? 4 * node.channels : 0) + tag;
}

/** Throws an OptionError for an option out of range. */
export function checkOptions(
  { outbox = OUTBOX_BYTES, description = "", selfTest, key, labelKey }: StationOptions,
  { port }: StationPorts,
): void {
  if (labelKey && labelKey.length !== KEY_BYTES)
    throw new OptionError("station", "labelKey", labelKey.length, `${KEY_BYTES} bytes`);
  if (key && "windowBytes" in port)
    throw new OptionError("station", "key", "a key", "none, as the port makes its own frames");
  if (!(Number.isInteger(outbox) && outbox >= 2 * FRAME_MAX))
    throw new OptionError("station", "outbox", outbox, `a whole number >= ${2 * FRAME_MAX}`);
  if (!(description.length <= DESCRIPTION_MAX))
    throw new OptionError(
      "station",
      "description",
      description.length,
      `at most ${DESCRIPTION_MAX} characters`,
    );
  if (selfTest && selfTest.length > SELF_TEST_MAX)
    throw new OptionError("station", "selfTest", selfTest.length, `at most ${SELF_TEST_MAX} hashes`);
}

/** The node's end of a keyed line, if there is a key. Throws an OptionError for an invalid key. */
function keyedEnd(
  { key }: StationOptions,
  { random }: StationPorts,
  frames: FrameBytes,
): KeyedNode | undefined {
  if (!key) return undefined;
  if (key.length !== KEY_BYTES) throw new OptionError("station", "key", key.length, `${KEY_BYTES} bytes`);
  if (!random)
    throw new OptionError("station", "random", undefined, "a source of random numbers, as there is a key");
  return new KeyedNode(key, random, frames);
}

/** The port of messages: the one that there is, or frames over that of bytes. */
export function chooseWire(options: StationOptions, ports: StationPorts, frames: FrameBytes): FramePort {
  const { port } = ports;
  if ("windowBytes" in port) return port;
  return new Framing(port, options.outbox ?? OUTBOX_BYTES, frames, keyedEnd(options, ports, frames));
}

/** The schedule of its reports, with defaults filled in. */
export function reportSchedule({
  statisticsEvery = 0,
  statisticsMs = 10_000,
  predictions = true,
  samples = false,
}: StationOptions): ReportSchedule {
  return { statisticsEvery, statisticsMs, predictions, samples };
}
