import { KEY_BYTES } from "../../src/wire/keyed.ts";

/** The word in a configuration that stands for a key that the board stores. */
export const STORED = "stored";

/**
 * Keys in a configuration: 32 hex digits each, or `stored`: the board stores it, and doesn't start without
 * it.
 */
interface KeyConfig {
  readonly key?: string;
  readonly labelKey?: string;
}

/** Where a board stores keys. */
export interface KeyStore {
  /** True if it has a key of that name; copies its bytes into the array. */
  read(name: string, into: Uint8Array): boolean;
}

/** Digit by digit: a regular expression would take 20 KB more of XS in every firmware. */
function parseKey(name: string, text: string): Uint8Array {
  const bytes = new Uint8Array(KEY_BYTES);
  let digits = text.length;
  for (let i = 0; i < text.length; i++) {
    const digit = Number.parseInt(text.charAt(i), 16);
    if (digit >= 0) bytes[i >> 1] = 16 * bytes[i >> 1] + digit;
    else digits = 0;
  }
  if (digits !== 2 * KEY_BYTES) throw new RangeError(`config: ${name}: takes ${2 * KEY_BYTES} hex digits`);
  return bytes;
}

function keyNamed(name: string, text: string | undefined, store: KeyStore | undefined) {
  const bytes = new Uint8Array(KEY_BYTES);
  if (store?.read(name, bytes)) return bytes;
  if (text !== STORED) return text === undefined ? undefined : parseKey(name, text);
  throw new RangeError(`config: ${name}: the board stores none; put it there with motelearn flash --key`);
}

/**
 * The node's keys: those that the board stores, else its configuration's. Throws a RangeError that names an
 * invalid key without showing it, or a key that should be stored and isn't.
 */
export function readKeys(
  config: KeyConfig,
  store?: KeyStore,
): { readonly key?: Uint8Array; readonly labelKey?: Uint8Array } {
  const key = keyNamed("key", config.key, store);
  const labelKey = keyNamed("labelKey", config.labelKey, store);
  return { ...(key && { key }), ...(labelKey && { labelKey }) };
}
