import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";

const { FOLDERS, isBuilt } = await import(pathToFileURL(join(process.cwd(), "dev/newest-source.mjs")).href);

/** Seconds. */
const [BEFORE, BUILT, AFTER] = [1000, 2000, 3000];

test("a build is as new as its sources; a result that a suite keeps is none", () => {
  const root = mkdtempSync(join(tmpdir(), "motelearn-newest-"));
  const write = (name: string, seconds: number) => {
    writeFileSync(join(root, name), "");
    utimesSync(join(root, name), seconds, seconds);
  };
  try {
    for (const folder of [...FOLDERS, "dev/idf"]) mkdirSync(join(root, folder), { recursive: true });
    write("src/index.ts", BEFORE);
    write("built", BUILT);
    utimesSync(join(root, "dev/idf"), BEFORE, BEFORE);
    for (const folder of FOLDERS) utimesSync(join(root, folder), BEFORE, BEFORE);
    const built = join(root, "built");
    assert.is(isBuilt(root, built), true);
    write("dev/idf/ran.json", AFTER);
    utimesSync(join(root, "dev/idf"), BEFORE, BEFORE);
    assert.is(isBuilt(root, built), true);
    write("src/index.ts", AFTER);
    assert.is(isBuilt(root, built), false);
    assert.is(isBuilt(root, join(root, "none")), false);
  } finally {
    rmSync(root, { recursive: true });
  }
});

test.run();
