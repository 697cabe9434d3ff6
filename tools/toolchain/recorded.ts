/** The recording that a node on an emulated board plays: its firmware holds it as a resource. */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../../host/errors.ts";
import type { DataSet } from "../../host/streams/table.ts";
import { sessionId } from "../../src/node/station.ts";

/** The resource's name without extension, as targets/moddable/recording.ts reads it. */
const NAME = "readings";

/** The part of a manifest that puts the file into the firmware. */
export const RECORDED_DATA = { "*": `./${NAME}` } as const;

const HEADER_BYTES = 4;

/**
 * The session of the samples, then one after the other, a float32 for each reading. Another recording has another session. Throws a
 * UserError if they aren't those of one such node.
 */
export function recordedBytes(
  from: string,
  nodes: ReadonlyMap<string, DataSet>,
  dimension: number,
): Uint8Array {
  const [data] = nodes.values();
  if (nodes.size > 1)
    throw new UserError(`--from ${from}: has ${nodes.size} nodes; takes the readings of one`);
  if (!data || data.count === 0) throw new UserError(`--from ${from}: has no sample; takes one or more`);
  if (data.dimension !== dimension)
    throw new UserError(
      `--from ${from}: has ${data.dimension} readings in a sample; the node takes ${dimension}, see --dimension`,
    );
  const bytes = Buffer.alloc(HEADER_BYTES + 4 * data.count * dimension);
  for (let i = 0; i < data.count * dimension; i++) bytes.writeFloatLE(data.rows[i], HEADER_BYTES + 4 * i);
  const hash = createHash("sha256").update(bytes).digest();
  bytes.writeUInt32LE(sessionId(hash.readUInt32LE()));
  return bytes;
}

export function writeRecorded(folder: string, bytes: Uint8Array): void {
  writeFileSync(join(folder, `${NAME}.bin`), bytes);
}
