import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { BOARDS } from "../../targets/boards.ts";
import { run } from "../cli/program.ts";

interface Emulated {
  readonly FIRMWARE_CHIPS: readonly string[];
}
const { FIRMWARE_CHIPS }: Emulated = await import(
  pathToFileURL(join(process.cwd(), "targets/emulator/chips.mjs")).href
);

test("board names the chips that run a firmware, when it is given another", () => {
  const { code, stderr } = run("board", "--chip", "m9");
  assert.is(code, 2);
  assert.match(stderr, new RegExp(`m9.*${FIRMWARE_CHIPS.join(", ")}`));
  assert.not.match(stderr, /\n./);
});

test("each board's costs are measured on a chip that runs a firmware", () => {
  for (const { chip } of Object.values(BOARDS)) assert.ok(FIRMWARE_CHIPS.includes(chip), chip);
});

test("the machine of every chip with a firmware is in the package", () => {
  const { files } = JSON.parse(readFileSync("package.json", "utf8"));
  for (const file of ["chips.mjs", "device.mjs", "machine"])
    assert.ok(files.includes(`targets/emulator/${file}`), file);
});

test.run();
