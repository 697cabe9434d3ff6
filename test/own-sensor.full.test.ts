import { spawnSync } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { commandsIn, readPage } from "./docs/pages.ts";
import { installPacked } from "./packed.ts";

const GUIDE = "docs/own-sensor.md";
/** What each step before the board prints when all is well. */
const PRINTS: readonly (readonly [command: string, printed: RegExp])[] = [
  ["npx motelearn init .", /^wrote main\.ts$/m],
  ["npx tsc --noEmit", /^$/],
  ["npx motelearn simulate scenario.json", /^bed\n {2}auto +400 +400 /m],
  ["npx motelearn plan ", /^RAM +chunk bytes/m],
];

const root = process.cwd();
const { app } = installPacked();

/** Runs one of the guide's programs: `npx tsc`, `npx motelearn`. */
function npx(command: string) {
  const [, name, ...args] = command.split(" ");
  const programs: { readonly [name: string]: string } = {
    tsc: join(root, "node_modules/typescript/bin/tsc"),
    motelearn: join(app, "node_modules/motelearn/tools/bin.mjs"),
  };
  return spawnSync(process.execPath, [programs[name], ...args], { cwd: app, encoding: "utf8" });
}

test("the guide to a sensor of one's own runs as written, in an empty folder, from the packed package", () => {
  const commands = commandsIn(readPage(GUIDE));
  const [install, init, others, ...rest] = commands.slice(
    0,
    commands.findIndex((command) => command.startsWith("npx motelearn board ")),
  );
  assert.match(install, /^npm install \S+\.tgz$/); // which `installPacked` did, without a network
  assert.match(npx(init).stdout, new RegExp(others, "m"), "init says what to install besides");
  for (const name of ["typescript", "@moddable"])
    symlinkSync(join(root, "node_modules", name), join(app, "node_modules", name));
  assert.is(rest.length, 3);
  for (const command of rest) {
    const [, printed] = PRINTS.find(([beginning]) => command.startsWith(beginning)) ?? [];
    const { status, stdout, stderr } = npx(command);
    assert.is(status, 0, `${command}: ${stdout}${stderr}`);
    assert.match(stdout, printed as RegExp, command);
  }
});

test("a sensor that isn't one doesn't compile", () => {
  const file = join(app, "soil-moisture.ts");
  const right = readFileSync(file, "utf8");
  writeFileSync(file, right.replace("readonly channels = 1;", "readonly channels = 'one';"));
  const { status, stdout } = npx("npx tsc --noEmit --pretty false");
  writeFileSync(file, right);
  assert.is.not(status, 0);
  assert.match(stdout, /^soil-moisture\.ts\(\d+,\d+\): error TS2416: Property 'channels'/m);
});

test.run();
