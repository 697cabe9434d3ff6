import { printable } from "../../host/printable.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text made safe for HTML, between tags or in a quoted attribute, and printable. */
export function escapeHtml(text: string): string {
  return printable(text).replace(/[&<>"']/g, (character) => ENTITIES[character]);
}

/** JSON made safe for a script element: nothing in it can end the element or open a comment. */
export function embedJson(value: unknown): string {
  const seen = (_: string, each: unknown) => (typeof each === "string" ? printable(each) : each);
  return JSON.stringify(value, seen).replace(
    /[<>&]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Text cut to `length` characters, the last an ellipsis if any were cut. */
export function shorten(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join("")}…`;
}
