import { html as escaped, raw } from "hono/html";
import { printable } from "../printable.ts";

/** HTML that is safe: of the template `html`, or of this program's own files. */
export type Html = ReturnType<typeof raw>;

/** What a template takes: text, which it escapes, HTML, lists of both, and nothing. */
export type Part = string | number | false | null | undefined | readonly Part[];

/** A script or a style sheet of this program, as it is. */
export { raw };

/**
 * A template of HTML or SVG. It escapes each text between tags or in a quoted attribute, and makes it printable; other
 * templates stay as they are.
 *
 *     html`<b>${"<x>"}</b>` // <b>&lt;x&gt;</b>
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return escaped(strings, ...parts.map(printablePart)) as Html;
}

/** Texts are made printable: a template's HTML is a `String` object, and no text. */
function printablePart(part: Part): Part {
  if (typeof part === "string") return printable(part);
  return Array.isArray(part) ? part.map(printablePart) : part;
}

/** Text cut to `length` characters, the last an ellipsis if any were cut. */
export function shorten(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join("")}…`;
}
