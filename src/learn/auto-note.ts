import type { Primitives } from "../math/primitives.ts";
import { LABELS, LAST, LAST_LABEL, MARGINS, MEMBERS, MOST_MARGIN, OWN } from "./auto-plan.ts";

/**
 * A sample's note, 64 bits. The first word: eleven votes; whether a label had come, for which one vote stands; the sample's number mod 4096;
 * one of the stack's inputs. The second: four more. An input is a byte, in 127ths of its largest value, plus 128: so it is never 0.
 */
const VOTED = (1 << MEMBERS) - 1;
const LABELLED = 1 << 11;
const NUMBER_SHIFT = 12;
const NUMBERS = 4096;
const STEPS = 127;

/** Writes a note to the two words at `note`: the votes, the last label, the sample's number, and the stack's inputs at word `inputs`. */
export function writeNote(
  f32: Primitives,
  note: number,
  inputs: number,
  votes: number,
  last: number,
  number: number,
): void {
  const { bits } = f32;
  const labels = (last === 0 ? 0 : LABELLED) | ((number & (NUMBERS - 1)) << NUMBER_SHIFT);
  bits[note] = votes | labels | (inputByte(f32, inputs, 1) << 24);
  bits[note + 1] =
    inputByte(f32, inputs, 2) |
    (inputByte(f32, inputs, OWN) << 8) |
    (inputByte(f32, inputs, OWN + 1) << 16) |
    (inputByte(f32, inputs, LABELS) << 24);
}

/** True if there is a note in the two words at `note`. */
export function isNote({ bits }: Primitives, note: number): boolean {
  return bits[note + 1] !== 0;
}

/** The votes of the note whose first word that is, a bit for each member. */
export function noteVotes(head: number): number {
  return head & VOTED;
}

/** The sample's number, mod 4096. */
export function noteNumber(head: number): number {
  return (head >> NUMBER_SHIFT) & (NUMBERS - 1);
}

/** How many samples came after the noted one, of so many, mod 4096. */
export function samplesSince(head: number, samples: number): number {
  return (samples - 1 - noteNumber(head)) & (NUMBERS - 1);
}

/** Restores from a note the stack's inputs of time, as they were when the sample came. */
export function readTimes(f32: Primitives, note: number, inputs: number): void {
  const { bits, words } = f32;
  const rest = bits[note + 1];
  words[inputs + LAST_LABEL] = (bits[note] & LABELLED) === 0 ? 0 : (bits[note] >> LAST) & 1 ? 1 : -1;
  readByte(f32, inputs, OWN, rest >> 8);
  readByte(f32, inputs, OWN + 1, rest >> 16);
  readByte(f32, inputs, LABELS, rest >> 24);
}

/** Restores the margins from a note. */
export function readMargins(f32: Primitives, note: number, inputs: number): void {
  const { bits } = f32;
  readByte(f32, inputs, 1, bits[note] >> 24);
  readByte(f32, inputs, 2, bits[note + 1]);
}

function inputByte({ words }: Primitives, inputs: number, input: number): number {
  const most = input <= MARGINS ? MOST_MARGIN : 1;
  return Math.floor((words[inputs + input] / most) * STEPS + 128.5);
}

function readByte({ words }: Primitives, inputs: number, input: number, byte: number): void {
  const most = input <= MARGINS ? MOST_MARGIN : 1;
  words[inputs + input] = (((byte & 255) - 128) / STEPS) * most;
}
