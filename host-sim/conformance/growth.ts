import { streamFor } from "./ordinary.ts";
import type { Subject } from "./subjects.ts";
import { mustBe } from "./violation.ts";

/** Everything that can be reached from a value by properties, elements, keys and values, itself included. */
function reachable(root: object): Map<object, string> {
  const found = new Map<object, string>([[root, "the learner"]]);
  const look = (value: unknown, path: string) => {
    const isThing = (typeof value === "object" && value !== null) || typeof value === "function";
    if (isThing && !found.has(value as object)) found.set(value as object, path);
  };
  for (const [thing, path] of found) {
    if (ArrayBuffer.isView(thing)) continue;
    const at = path === "the learner" ? "" : `${path}.`;
    for (const name of Reflect.ownKeys(thing)) {
      const property = Reflect.getOwnPropertyDescriptor(thing, name);
      if (property && "value" in property) look(property.value, `${at}${String(name)}`);
    }
    if (thing instanceof Map || thing instanceof Set) {
      for (const each of thing instanceof Map ? [...thing].flat() : thing) look(each, `${at}(entry)`);
    }
  }
  return found;
}

/** How much a thing holds: elements, entries, bytes, or properties. */
function countProperties(thing: object): number {
  if (ArrayBuffer.isView(thing)) return thing.byteLength;
  if (thing instanceof ArrayBuffer) return thing.byteLength;
  if (thing instanceof Map || thing instanceof Set) return thing.size;
  return Reflect.ownKeys(thing).length;
}

/** The size of each thing by its path, and of texts and big integers, which grow where they stand. */
function sizes(root: object): Map<string, number> {
  const all = new Map<string, number>();
  for (const [thing, path] of reachable(root)) {
    all.set(path, countProperties(thing));
    if (ArrayBuffer.isView(thing)) continue;
    for (const [name, value] of Object.entries(thing)) {
      if (typeof value === "string" || typeof value === "bigint")
        all.set(`${path}.${name}`, String(value).length);
    }
  }
  return all;
}

/** Between the first samples and the last, no object that the learner reaches grows, and none is added. */
export function growsNowhere({ create }: Subject, seed: number): void {
  const learner = create();
  const stream = streamFor(learner, seed);
  const learn = (from: number, to: number) => {
    for (const { x, y } of stream.slice(from, to)) learner.learn(x, y);
  };
  learn(0, 1);
  const before = sizes(learner);
  learn(1, stream.length);
  for (const [path, size] of sizes(learner)) {
    mustBe(
      size,
      before.get(path),
      `${path}: its size after ${stream.length} samples, against that after one`,
    );
  }
}
