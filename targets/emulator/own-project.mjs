// The project that `motelearn init` makes, as docs/own-sensor.md begins: for tests, and to see how deep it goes on a board's stack.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { root } from "./engine.mjs";

export const MOTELEARN = join(root, "tools/bin.mjs");

/** The words after `npx motelearn` of the guide's command of that name. */
export function guideArguments(name) {
  const guide = readFileSync(join(root, "docs/own-sensor.md"), "utf8");
  const line = guide.split("\n").find((text) => text.startsWith(`npx motelearn ${name} `));
  return line.split(" ").slice(2);
}

/** Builds the package with its types, against which projects compile. */
export function buildPackage() {
  execFileSync(process.execPath, [join(root, "dev/build.mjs"), "--types", "--moddable"]);
}

/** Puts into the folder what `npm install` would bring. */
export function installInto(place) {
  mkdirSync(join(place, "node_modules"));
  for (const name of ["typescript", "@moddable"])
    symlinkSync(join(root, "node_modules", name), join(place, "node_modules", name));
  symlinkSync(root, join(place, "node_modules/motelearn"));
}
