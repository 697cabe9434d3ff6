import { OptionError } from "../memory/option-error.ts";

/** The topics of a node at an MQTT broker. */
export interface NodeTopics {
  /** Frames from the node. */
  readonly up: string;
  /** Frames to the node. */
  readonly down: string;
  /** The node's presence: `PRESENT` or `ABSENT`, retained. */
  readonly status: string;
}

/** Retained at `status` by a node that is connected, and by its last will. Home Assistant's names. */
export const PRESENT = "online";
export const ABSENT = "offline";

const NAME_MAX = 64;

/** Character by character: a regular expression would bring XS's engine for them into a firmware. */
function isName(name: string): boolean {
  let level = 0;
  for (let i = 0; i < name.length; i++) {
    const c = name[i];
    const inLevel =
      (c >= "a" && c <= "z") || (c >= "A" && c <= "Z") || (c >= "0" && c <= "9") || "-_.".includes(c);
    if (!inLevel && (c !== "/" || level === 0)) return false;
    level = inLevel ? level + 1 : 0;
  }
  return level > 0 && name.length <= NAME_MAX;
}

/**
 * The topics of the node `name`: `NAME/up`, `NAME/down`, `NAME/status`. Frames need no acknowledgement from the broker (QoS 0), as the
 * wire resends lost ones. The status is retained, with QoS 1.
 *
 * @param name 1..64 characters of letters, digits, `-`, `_`, `.`, and `/` between levels. Throws an OptionError for another.
 */
export function nodeTopics(name: string): NodeTopics {
  if (!isName(name)) {
    throw new OptionError(
      "mqtt",
      "name",
      name,
      `1..${NAME_MAX} letters, digits, "-", "_" and ".", with "/" between levels`,
    );
  }
  return { up: `${name}/up`, down: `${name}/down`, status: `${name}/status` };
}
