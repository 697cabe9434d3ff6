import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import * as assert from "uvu/assert";
import { runHere } from "../cli/program.ts";
import { becomes, open, picture, startBrowser } from "../fleet/browser.ts";
import { test } from "../tools/contained.ts";
import { inFolder } from "../tools/stations.ts";
import { TINY } from "./sweeps.ts";

const NODES = 14;
const LABELS = { ...TINY.labels, budget: 0.5 };
const LEARNERS = ["pa", "arow", "olk-c:budget=8"];

let browser: Browser;
test.before(async () => {
  browser = await startBrowser();
});
test.after(() => browser.close());

const report = inFolder("page");
const file = `${report}/page.html`;

test("a sweep of several nodes, whose labels are late, lost, wrong and few: the text says what to take and what labels cost", async () => {
  const scenario = inFolder("page.json");
  writeFileSync(
    scenario,
    JSON.stringify({ ...TINY, stream: { ...TINY.stream, nodes: NODES }, labels: LABELS }),
  );
  const args = ["--learners", LEARNERS.join(","), "--seeds", "3", "--decompose", "--threads", "2"];
  const { code, stdout, stderr } = await runHere([
    "sweep",
    "--scenario",
    scenario,
    ...args,
    "--report",
    report,
  ]);
  assert.is(code, 0, stderr);
  assert.match(stdout, /^presence \(classification\): Take \S+: error \d+\.\d+ % \[/m);
  assert.match(stdout, /: \d+\.\d+ % with these labels, \d+\.\d+ % with all of them, right and at once\. /);
  assert.match(stdout, /^learner +error +without +delay +loss +flips +budget$/m);
  assert.match(stdout, new RegExp(`^worst of ${NODES} nodes by `, "m"));
});

test("the report opens from a file, asks for nothing, and says first what to take; its tables are sorted and filtered", async () => {
  const { page, wrong, asked } = await open(browser, pathToFileURL(file).href);
  const [best] = /(?<=Take )\S+(?=: error)/.exec(readFileSync(file, "utf8")) as RegExpExecArray;
  const box = await page.locator(".take").boundingBox();
  assert.ok(box && box.y + box.height < 400, "the verdict is seen at once");
  assert.is(await page.locator(".tracks .row:not(.heads) b").first().textContent(), best);
  const nodes = page.locator("table[data-rows=node]");
  const names = () => nodes.locator("tbody tr:visible th").allTextContents();
  const errors = async () => {
    const cells = await nodes.locator("tbody tr:visible td:nth-child(2)").allTextContents();
    return cells.map(Number.parseFloat);
  };
  const worst = await errors();
  assert.is(worst.length, NODES);
  assert.equal(
    worst,
    [...worst].sort((a, b) => b - a),
    "worst first",
  );
  await nodes.locator("thead button").first().click();
  const inOrder = Array.from({ length: NODES }, (_, i) => `node ${i + 1}`);
  assert.equal(await names(), inOrder, "by name, numbers by their size");
  await nodes.locator("thead button").nth(1).click();
  assert.equal(await errors(), [...worst].reverse(), "least error first");
  await page.locator("input[type=search]").last().fill("NODE 1");
  const found = await becomes("rows of that name", names, (all) => all.length < NODES);
  assert.equal(found.sort(), inOrder.filter((name) => name.startsWith("node 1")).sort());
  await picture(page, "sweep");
  assert.equal(wrong, []);
  assert.equal([...asked], ["null"], "nothing but the file is asked for");
});

test("on a phone nothing is wider than the page, and in the dark it is dark", async () => {
  const phone = { viewport: { width: 360, height: 740 }, colorScheme: "dark" } as const;
  const { page, wrong } = await open(browser, pathToFileURL(file).href, phone);
  const width = await page.evaluate<number>("document.documentElement.scrollWidth");
  const paper = await page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
  assert.ok(width <= 360, `${width} px wide`);
  assert.is(paper, "rgb(21, 23, 26)");
  await picture(page, "sweep-phone");
  assert.equal(wrong, []);
});

test.run();
