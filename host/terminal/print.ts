import { printable, printableJson, printableLines } from "../printable.ts";

/** A result or an event for programs: its `schema` names its form and version. */
interface SchemaJson {
  readonly schema: `motelearn.${string}/${number}`;
}

/** Prints a command's result for programs: JSON. */
export function printJson<T extends SchemaJson>(result: T): void {
  process.stdout.write(`${printableJson(result, 2)}\n`);
}

/** Prints an event for programs: JSON on one line. */
export function printJsonLine<T extends SchemaJson>(event: T): void {
  process.stdout.write(`${printableJson(event)}\n`);
}

/** Prints a document that has no schema of ours: a manifest, a JSON Schema. */
export function printDocument(document: object): void {
  process.stdout.write(`${printableJson(document, 2)}\n`);
}

/**
 * Prints a command's result for people: lines. Text from outside within several lines goes through
 * `printable` first.
 */
export function printText(text: string): void {
  process.stdout.write(`${printableLines(text)}\n`);
}

/** Prints lines for people at once, with any characters made printable. */
export function printLine(...lines: readonly string[]): void {
  process.stdout.write(`${lines.map(printable).join("\n")}\n`);
}

/** Prints one line on stderr, with any characters made printable. */
export function printNote(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
}
