import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { FAMILIES } from "../../src/learn/registry.ts";
import { GROUPS, readCards } from "../../tools/dev/docs/cards.ts";
import { guideFiles } from "../../tools/dev/docs/guide.ts";

const FILES = guideFiles();
const DOCS = join(process.cwd(), "docs");

test("every learner has a card, and every card a learner, once", () => {
  assert.equal([...readCards().keys()].sort(), FAMILIES.map(({ name }) => name).sort());
});

test("the guide has each learner once, in the first group that takes it", () => {
  const page = FILES["learners.md"];
  for (const { name, title } of FAMILIES) assert.is(page.split(`\n### ${name}: ${title}\n`).length, 2, name);
  for (const [title, takes] of GROUPS) assert.ok(FAMILIES.some(takes) && page.includes(`\n## ${title}\n`));
});

test("the guide shows each option of each learner once: in its card, or in the table of options that several share", () => {
  const [shared, ...cards] = FILES["learners.md"]
    .slice(FILES["learners.md"].indexOf("\n## Options of several"))
    .split("\n### ");
  const rowsOf = (text: string) => [...text.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  for (const { name, options } of FAMILIES) {
    const card = cards.find((text) => text.startsWith(`${name}: `)) as string;
    const named = [...(/^Options of several learners: (.*)$/m.exec(card)?.[1].matchAll(/`(\w+)`/g) ?? [])];
    const others = named.map(([, option]) => option);
    assert.equal([...rowsOf(card), ...others].sort(), Object.keys(options).sort(), name);
    for (const option of others) assert.ok(rowsOf(shared).includes(option), `${name}: ${option}`);
  }
});

test("the guide to the learners and its pictures are what npm run build:cards writes", () => {
  for (const [path, text] of Object.entries(FILES)) {
    assert.ok(existsSync(join(DOCS, path)), `docs/${path} is missing: npm run build:cards writes it`);
    // Not `assert.is`: of two pages it would print a difference of a thousand lines.
    assert.ok(
      readFileSync(join(DOCS, path), "utf8") === text,
      `docs/${path} is stale: npm run build:cards writes it`,
    );
  }
  const pictures = readdirSync(join(DOCS, "learners")).map((name) => `learners/${name}`);
  assert.equal(
    pictures.sort(),
    Object.keys(FILES)
      .filter((path) => path.startsWith("learners/"))
      .sort(),
  );
});

test("a picture shows samples, and what the learner says of places", () => {
  for (const [path, text] of Object.entries(FILES).filter(([path]) => path.endsWith(".svg"))) {
    assert.match(text, /<path d="M\d+ -?\d+[hL]/, path);
    assert.ok(text.length < 4096, `${path}: ${text.length} bytes`);
    assert.not.match(text, /NaN|Infinity|undefined/, path);
  }
});

test.run();
