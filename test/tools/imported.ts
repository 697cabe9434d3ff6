// A stranger's table for the tests of import: how it is written, and what import and every command make of it.
import { namedColumns, readTable } from "../../host/streams/index.ts";
import { runHere, runJsonHere, temporaryFolder } from "../cli/program.ts";

export const ROWS = 60;
export const lines = (...rows: readonly string[]) => `${rows.join("\n")}\n`;
export const makeRows = (row: (i: number) => string, count = ROWS) =>
  Array.from({ length: count }, (_, i) => row(i));
/** A state that lasts ten rows. */
export const stateAt = (i: number) => ["ok", "worn"][Math.floor(i / 10) % 2];
/** A reading. */
export const temp = (i: number) => `${20 + (i % 7)}.5`;

const written = temporaryFolder();
let files = 0;

/** Writes a file of its own, and returns its path. */
export const write = (content: string, end = "csv") => written(`${files++}.${end}`, content);

/** What import says of a file, what it wants checked, and what every command then reads. */
export async function imported(file: string, ...flags: readonly string[]) {
  const { stdout } = await runHere(["import", file, ...flags]);
  const [found] = (await runJsonHere("motelearn.import/1", "import", file, ...flags)).files;
  const { missing = "nan" } = found.description;
  const data = await readTable(file, { missing, unlabelled: true });
  const doubts = stdout.split("\n").flatMap((line) => /^ *to be checked +(.*)/.exec(line)?.[1] ?? []);
  return { ...found, stdout, doubts, data, ...namedColumns(data.roles as NonNullable<typeof data.roles>) };
}
