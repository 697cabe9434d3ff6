import { messageNames } from "../../src/wire/messages.ts";
import { Receiver, STUFFED_MAX } from "../../src/wire/receiver.ts";

const [LF, CR, IAC, XON, XOFF] = [0x0a, 0x0d, 0xff, 0x11, 0x13];
/** Telnet's commands WILL to DONT, each with an option behind it. */
const [WILL, DONT] = [0xfb, 0xfe];
/** The bytes that are kept, the most for which a frame can be found, and its most ambiguous bytes. */
const KEPT = 4096;
const AMBIGUOUS_MAX = 8;
/** Keyed frames that must look right: by chance, one in 65,536 does. */
const KEYED_MIN = 2;

/** A constant change of a line's bytes. */
interface Change {
  /** What the line does, and what to do about it. */
  readonly text: string;
  /** Frames that such a line may have made this one of. */
  possibleOriginals(frame: readonly number[]): Iterable<readonly number[]>;
}

const RAW = "open the port raw (stty -F DEVICE raw -echo), or have the bridge send bytes unchanged";

/** The frame with each byte `from` replaced by one of `originals`, in each combination. */
function* replaceBytes(
  frame: readonly number[],
  from: number,
  originals: readonly (readonly number[])[],
): Generator<readonly number[]> {
  const places = frame.flatMap((byte, at) => (byte === from ? [at] : []));
  if (places.length > AMBIGUOUS_MAX) return;
  for (let choice = 1; choice < originals.length ** places.length; choice++) {
    let left = choice;
    yield frame.flatMap((byte) => {
      if (byte !== from) return [byte];
      const original = originals[left % originals.length];
      left = Math.floor(left / originals.length);
      return original;
    });
  }
}

/** The frame without the first byte of each such pair. */
function* withoutFirst(frame: readonly number[], first: number, second: number) {
  yield frame.filter((byte, at) => !(byte === first && frame[at + 1] === second));
}

/** The frame without telnet's doubling, and without its negotiation. */
function* withoutTelnet(frame: readonly number[]) {
  const bytes: number[] = [];
  for (let at = 0; at < frame.length; at++) {
    const next = frame[at + 1];
    if (frame[at] === IAC && next >= WILL && next <= DONT) at += 2;
    else {
      if (frame[at] === IAC && next === IAC) at++;
      bytes.push(frame[at]);
    }
  }
  yield bytes;
}

/** The frame with one byte more, at each place. */
function* withFlowControl(frame: readonly number[]) {
  for (let at = 0; at <= frame.length; at++)
    for (const byte of [XON, XOFF]) yield [...frame.slice(0, at), byte, ...frame.slice(at)];
}

/** From the least ambiguous on. */
const CHANGES: readonly Change[] = [
  { text: `the line turns LF into CR LF: ${RAW}`, possibleOriginals: (frame) => withoutFirst(frame, CR, LF) },
  {
    text: "the line doubles bytes of 255, as telnet does: have the bridge send raw bytes in place of telnet",
    possibleOriginals: withoutTelnet,
  },
  {
    text: `the line turns CR LF into LF: ${RAW}`,
    possibleOriginals: (frame) => replaceBytes(frame, LF, [[LF], [CR, LF]]),
  },
  {
    text: `the line turns CR into LF: ${RAW}`,
    possibleOriginals: (frame) => replaceBytes(frame, LF, [[LF], [CR]]),
  },
  {
    text: `the line turns LF into CR: ${RAW}`,
    possibleOriginals: (frame) => replaceBytes(frame, CR, [[CR], [LF]]),
  },
  {
    text: "the line swallows bytes 17 and 19 (XON, XOFF): switch software flow control off (stty -F DEVICE -ixon -ixoff), also in the bridge",
    possibleOriginals: withFlowControl,
  },
];

/** Tells whether bytes between two delimiters are a frame; `perhaps`: one of a keyed line, unless by chance. */
class FrameCheck {
  private readonly receiver = new Receiver(messageNames("up"));

  check(frame: readonly number[]): boolean | "perhaps" {
    if (frame.length > STUFFED_MAX) return false;
    const { receiver } = this;
    const { forged } = receiver.thrown;
    for (const byte of frame) receiver.take(byte);
    if (receiver.take(0) !== undefined) return true;
    return receiver.thrown.forged > forged && "perhaps";
  }
}

/** Recognises a line that changes bytes in a constant way: frames that don't check, and do once a change is undone. */
export class AlteredLine {
  private readonly kept: number[] = [];

  /** Received bytes. */
  take(bytes: Uint8Array): void {
    this.kept.push(...bytes);
    this.kept.splice(0, this.kept.length - KEPT);
  }

  /** The line is in order: drops the bytes. */
  forget(): void {
    this.kept.length = 0;
  }

  /** What the line does to bytes, and the remedy; undefined: no such change makes frames of the last bytes. */
  get change(): string | undefined {
    const frames = this.frames();
    const check = new FrameCheck();
    const damaged = frames.filter((frame) => !check.check(frame));
    return CHANGES.find((change) => {
      let keyed = 0;
      for (const frame of damaged)
        for (const undone of change.possibleOriginals(frame)) {
          const is = check.check(undone);
          if (is === true) return true;
          if (is === "perhaps" && ++keyed === KEYED_MIN) return true;
        }
      return false;
    })?.text;
  }

  /** The bytes before each delimiter. */
  private frames(): number[][] {
    const { kept } = this;
    const ends = kept.flatMap((byte, at) => (byte === 0 ? [at] : []));
    const frames = ends.map((end, i) => kept.slice(i === 0 ? 0 : ends[i - 1] + 1, end));
    return frames.filter(({ length }) => length > 0);
  }
}
