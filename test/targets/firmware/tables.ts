import { readFileSync } from "node:fs";

/** Bytes of a slot on boards, and of a pointer. */
const SLOT = 16;
const POINTER = 4;

/** How many bytes the C string that stands between those quotes has, without its end. */
function bytesOf(literal: string): number {
  return literal.replace(/\\x[0-9A-Fa-f]{2}|\\[0-7]{1,3}|\\./g, "x").length;
}

/** What the SDK's linker writes for all modules: slots, keys, texts and bytecode, which lie in flash. */
export function tableBytes(file: string): number {
  const text = readFileSync(file, "utf8");
  const [, heap] = /^static const txSlot gxHeap\[\w+\] = \{\n([\s\S]*?)^\};/m.exec(text) as RegExpExecArray;
  const slots = heap.trimEnd().split("\n");
  const code = [...text.matchAll(/^static const txU1 gxCode\d+\[(\d+)\];/gm)];
  const keys = Number(/^#define mxKeysCount (\d+)/m.exec(text)?.[1]);
  const literals = slots.map((slot) => {
    const literal = /"((?:[^"\\]|\\.)*)"/.exec(slot)?.[1];
    return literal === undefined ? 0 : bytesOf(literal) + (slot.includes("XS_CODE_X_KIND") ? 0 : 1);
  });
  const sum = (list: readonly number[]) => list.reduce((total, one) => total + one, 0);
  return SLOT * slots.length + POINTER * keys + sum(literals) + sum(code.map(([, bytes]) => Number(bytes)));
}
