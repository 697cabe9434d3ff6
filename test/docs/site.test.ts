import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { makeFolder } from "../folder.ts";

const { deadLinks, findUndocumented } = await import(join(process.cwd(), "dev/docs/site.mjs"));
const folder = makeFolder();

/** The dead links of a site of two pages, the first with that link. */
function dead(link: string): string[] {
  mkdirSync(join(folder, "guides"), { recursive: true });
  writeFileSync(join(folder, "index.html"), `<p id="top">A page.</p><a href="${link}">a link</a>`);
  writeFileSync(
    join(folder, "guides/one.html"),
    '<h2 id="a-b">A and B</h2><a href="../index.html#top">back</a>',
  );
  writeFileSync(join(folder, "picture.svg"), "<svg/>");
  return deadLinks(folder);
}

test("links to pages, places and files that are there are alive", () => {
  for (const link of [
    "guides/one.html",
    "guides/one.html#a-b",
    "#top",
    "#",
    "picture.svg",
    "https://example.org/x",
  ])
    assert.equal(dead(link), [], link);
});

test("a link to no file, to a folder, or to no place of a page is dead, and named with its page", () => {
  for (const link of [
    "guides/two.html",
    "guides",
    "guides/one.html#c",
    "#nowhere",
    "../outside.html",
    "docs/users.md",
  ])
    assert.equal(dead(link), [`index.html: ${link}`], link);
});

test("a link from a guide to the README, which typedoc writes as ../, is alive", () => {
  dead("#top");
  writeFileSync(join(folder, "guides/one.html"), '<a href="../">up</a> <a href="../#top">up</a>');
  assert.equal(deadLinks(folder), []);
  writeFileSync(
    join(folder, "guides/one.html"),
    '<a href="./">a folder without an index</a> <a href="../#gone">up</a>',
  );
  assert.equal(deadLinks(folder), ["guides/one.html: ./", "guides/one.html: ../#gone"]);
});

test("an image that isn't there is dead, too", () => {
  dead("#top");
  writeFileSync(join(folder, "guides/one.html"), '<img src="gone.png">');
  assert.equal(deadLinks(folder), ["guides/one.html: gone.png"]);
});

test("an exported symbol or a method without a comment is named; a property and a setter are not", () => {
  const without = (name: string, kind: string) =>
    `${name} (${kind}), defined in motelearn/src/learn/pa.ts, does not have any documentation`;
  const found = findUndocumented([
    without("motelearn.Pa", "Class"),
    without("motelearn.Pa.learn", "CallSignature"),
    without("motelearn.PaOptions.C", "Property"),
    without("motelearn.Pa.size", "SetSignature"),
    "Something else",
  ]);
  assert.equal(found, ["motelearn.Pa (src/learn/pa.ts)", "motelearn.Pa.learn (src/learn/pa.ts)"]);
});

test.run();
