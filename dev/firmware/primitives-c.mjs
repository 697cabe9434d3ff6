// The C of the primitives as the compiler sees it: f32.c with its parts in their places.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const PART = /^#include "(f32\/.+)"$/gm;

/** The text of src/math/f32.c in the project at `root`, with those of src/math/f32/. */
export function primitivesC(root) {
  const read = (name) => readFileSync(join(root, "src/math", name), "utf8");
  return read("f32.c").replace(PART, (_, part) => read(part));
}
