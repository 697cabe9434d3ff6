import { readFileSync } from "node:fs";

/** Bytes of a slot on boards, and of a pointer. */
const SLOT = 16;
const POINTER = 4;

/** How many bytes the C string that stands between those quotes has, without its end. */
function countBytes(literal: string): number {
  return literal.replace(/\\x[0-9A-Fa-f]{2}|\\[0-7]{1,3}|\\./g, "x").length;
}

/** Bytes of flash that tables take, by what they are of. */
export interface Tables {
  /** Bytecode of functions, and of the modules that run at start. */
  readonly bytecode: number;
  /** Names: a slot, a text and a pointer each. */
  readonly keys: number;
  /** Texts that aren't names. */
  readonly texts: number;
  /** Slots of functions: each has one, one of its bytecode, and a method one of its class. */
  readonly functions: number;
  /** Slots of what functions take of their module: two for each that takes something, and one a name. */
  readonly environments: number;
  /** Slots of all others: properties, objects, arrays, numbers, texts. */
  readonly slots: number;
}

/** What a slot of those kinds is of, with the slot of its instance. */
const OWNERS = [
  { kind: "CODE_X", of: "functions", bytes: 2 * SLOT },
  { kind: "HOME", of: "functions", bytes: SLOT },
  { kind: "UNDEFINED", of: "environments", bytes: 2 * SLOT },
  { kind: "CLOSURE", of: "environments", bytes: SLOT },
] as const;

const KEY = "XS_KEY_X_KIND";
const CODE = "XS_CODE_X_KIND";

/** Bytes of a slot's own, and of the text or the bytecode that it points to. */
function slotBytes(slot: string): readonly [slot: number, text: number] {
  const literal = /"((?:[^"\\]|\\.)*)"/.exec(slot)?.[1];
  return [SLOT, literal === undefined ? 0 : countBytes(literal) + (slot.includes(CODE) ? 0 : 1)];
}

/** The SDK linker's output for all modules, which lies in flash. */
export function tablesIn(file: string): Tables {
  const text = readFileSync(file, "utf8");
  const [, heap] = /^static const txSlot gxHeap\[\w+\] = \{\n([\s\S]*?)^\};/m.exec(text) as RegExpExecArray;
  const code = [...text.matchAll(/^static const txU1 gxCode\d+\[(\d+)\];/gm)];
  const pointers = POINTER * Number(/^#define mxKeysCount (\d+)/m.exec(text)?.[1]);
  const found = { bytecode: 0, keys: pointers, texts: 0, functions: 0, environments: 0, slots: 0 };
  for (const [, bytes] of code) found.bytecode += Number(bytes);
  for (const slot of heap.trimEnd().split("\n")) {
    const [own, more] = slotBytes(slot);
    if (slot.includes(KEY)) found.keys += own + more;
    else {
      const owner = OWNERS.find(({ kind }) => slot.includes(`XS_${kind}_KIND`));
      if (owner) found[owner.of] += owner.bytes;
      found.slots += own - (owner?.bytes ?? 0);
      found[slot.includes(CODE) ? "bytecode" : "texts"] += more;
    }
  }
  return found;
}

export function bytesOfTables({ bytecode, keys, texts, functions, environments, slots }: Tables): number {
  return bytecode + keys + texts + functions + environments + slots;
}
