import { Crc32 } from "../math/crc32.ts";
import { CHECKED_BYTES, HEADER_BYTES, MAGIC, VERSION, WORD } from "./slot.ts";

/** The content of a checkpoint as it lies in a slot of flash. */
export interface HeldCheckpoint {
  /** 16 hex digits. */
  readonly schema: string;
  readonly payload: Uint8Array;
}

/**
 * A checkpoint as it lies in a slot of flash, for a node that takes it from elsewhere: the node gives it its own generation and cycles.
 * @param generation tells two images of the same checkpoint apart.
 */
export function checkpointImage(schema: string, payload: Uint8Array, generation = 0): Uint8Array {
  const crc = new Crc32();
  const image = new Uint8Array(HEADER_BYTES + payload.length).fill(0xff, 0, HEADER_BYTES);
  const view = new DataView(image.buffer);
  const put = (word: number, value: number) => view.setUint32(4 * word, value, true);
  put(WORD.magic, MAGIC);
  put(WORD.version, VERSION);
  put(WORD.schemaHigh, Number.parseInt(schema.slice(0, 8), 16));
  put(WORD.schemaLow, Number.parseInt(schema.slice(8), 16));
  put(WORD.generation, generation);
  put(WORD.length, payload.length);
  put(WORD.cycles, 0);
  const sum = crc.crc32(image, 0, CHECKED_BYTES, 0);
  put(WORD.check, sum);
  image.set(payload, HEADER_BYTES);
  put(WORD.seal, crc.crc32(image, HEADER_BYTES, image.length, sum));
  return image;
}

/** The content of the bytes of a slot; undefined: no whole checkpoint. */
export function checkpointIn(image: Uint8Array): HeldCheckpoint | undefined {
  if (image.length < HEADER_BYTES) return undefined;
  const crc = new Crc32();
  const view = new DataView(image.buffer, image.byteOffset, image.length);
  const word = (place: number) => view.getUint32(4 * place, true);
  const sum = crc.crc32(image, 0, CHECKED_BYTES, 0);
  const isWhole =
    word(WORD.magic) === MAGIC &&
    word(WORD.version) === VERSION &&
    word(WORD.check) === sum &&
    word(WORD.length) === image.length - HEADER_BYTES &&
    word(WORD.seal) === crc.crc32(image, HEADER_BYTES, image.length, sum);
  if (!isWhole) return undefined;
  const schema = [WORD.schemaHigh, WORD.schemaLow].map((place) => word(place).toString(16).padStart(8, "0"));
  return { schema: schema.join(""), payload: image.subarray(HEADER_BYTES) };
}
