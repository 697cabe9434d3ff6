import type { NodeOptions } from "./node-options.ts";

/** A node's options, or those of a firmware's manifest: the learner also by its name, and without what its sensors and its start give. */
export type DescribedOptions = Omit<NodeOptions, "sid" | "channels" | "learner"> & {
  readonly learner: string | NodeOptions["learner"];
};

/**
 * What a node says of itself in message description: its options but for the session, the learner by its name, as JSON in printable ASCII. A
 * peer can make the same node from it, and knows the names of its classes.
 */
export function describeNode(options: DescribedOptions): string {
  const { learner } = options;
  const name = typeof learner === "string" ? learner : learner.name;
  const json = JSON.stringify({ ...options, sid: undefined, learner: name });
  let text = "";
  for (let i = 0; i < json.length; i++) text += printable(json.charCodeAt(i));
  return text;
}

/** A UTF-16 code unit in a JSON text: itself, or its escape. */
function printable(code: number): string {
  if (code >= 0x20 && code <= 0x7e) return String.fromCharCode(code);
  return `\\u${code.toString(16).padStart(4, "0")}`;
}
