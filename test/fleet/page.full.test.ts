import type { ChildProcess } from "node:child_process";
import { rmSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import * as assert from "uvu/assert";
import { familyNamed } from "../../src/learn/registry.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { nameLearner } from "../../tools/fusion/lines.ts";
import { ended, forLaterTests, test } from "../tools/contained.ts";
import { freePort } from "../tools/ports.ts";
import { inFolder, killStation, startStation } from "../tools/stations.ts";
import { becomes, open, picture, saved, startBrowser, whileStopped, withClock } from "./browser.ts";
import { fleet, kill, startGateway } from "./fleets.ts";

const NODE: NodeOptions = {
  sid: 1,
  channels: 2,
  pending: 4096, // on a busy machine a label takes long to come
  labelWindow: 16,
  checkpointEvery: 4,
  coverage: 0.9,
  learner: familyNamed("olk-c")!,
  options: { budget: 8 },
};
/** In the five minutes that a test looks at, a page gets each sample: it thins out more than 4000. */
const SAMPLE_MS = 100;
/** What a page shows at first, and the part of it that a test zooms into. */
const WINDOW_MS = 60_000;
const [ZOOMED_FROM, ZOOMED_TO] = [0.85, 0.99];
const HOSTILE = '<img src=x onerror="alert(1)">';
/** One has a name that every object has. */
const NAMES = ["a", "constructor", "asks", "gone"];
const CHANNELS = [
  { name: HOSTILE, unit: "mm/s" },
  { name: "temperature", unit: "°C" },
];

let browser: Browser;
let gateway: { child: ChildProcess; url: string };
const stations = new Map<string, ChildProcess>();

function given(name: string) {
  const { learner, ...rest } = { ...nameLearner(NODE), sid: name.length };
  return {
    listen: inFolder(name),
    node: { ...rest, learner },
    sampleMs: SAMPLE_MS,
    checkpoint: `${inFolder(name)}.ck`,
  };
}

test.before(async () => {
  for (const name of ["a", "constructor"]) stations.set(name, await startStation(given(name)));
  const asks = given("asks");
  const node = { ...asks.node, labelBudget: 0.3 };
  stations.set("asks", await startStation({ ...asks, node, sampleMs: 200 }));
  const nodes = NAMES.map((name) => ({
    name,
    port: `unix:${inFolder(name)}`,
    channels: CHANNELS,
  }));
  gateway = await startGateway(fleet("page", nodes, { port: await freePort() }));
  browser = await startBrowser();
});

test.after(async () => {
  await browser.close();
  assert.is(await ended(gateway.child, "SIGTERM"), 0);
  await Promise.all([...stations.values()].map(killStation));
});

const readText = (page: Page, selector: string) => () => page.locator(selector).first().innerText();
const countElements = (page: Page, selector: string) => () => page.locator(selector).count();

/** The newest sample that a node's page shows. */
async function readNewest(page: Page): Promise<number> {
  return Number(/sample (\d+)$/.exec(await readText(page, ".about")())?.[1]);
}

/** True if something coloured is in a plot. */
function isDrawn(page: Page, plot: string): Promise<boolean> {
  return page.evaluate(`(() => {
    const canvas = document.querySelector('section[aria-label="${plot}"] canvas');
    if (!canvas) return false;
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let coloured = 0;
    for (let i = 0; i < data.length; i += 4)
      if (data[i + 3] > 128 && Math.abs(data[i] - data[i + 2]) > 60) coloured++;
    return coloured > 500;
  })()`);
}

test("all nodes at a glance, the one in trouble first; a click leads to one", async () => {
  const { page, wrong, asked } = await open(browser, gateway.url);
  await becomes("four rows", countElements(page, ".nodes tbody tr"), (count) => count === 4);
  const first = readText(page, ".nodes tbody tr");
  await becomes("the one in trouble first", first, (text) => /gone[\s\S]*no such device/.test(text));
  await becomes(
    "samples",
    readText(page, ".nodes tbody tr:last-child td[data-label=Samples]"),
    (text) => Number(text) > 20,
  );
  assert.is(await page.getByRole("link", { name: "Groups" }).count(), 0, "nobody learns together");
  await picture(page, "overview");
  await page.getByRole("link", { name: "constructor", exact: true }).click();
  await page.getByRole("heading", { name: "constructor" }).waitFor();
  await becomes("drawn", () => isDrawn(page, "Decision"), Boolean);
  assert.equal(wrong, []);
  assert.equal([...asked], [gateway.url]);
  await page.close();
});

test("one node: names and units, values and differences, pause, zoom, range, marks, files", async () => {
  const { page, wrong } = await open(browser, `${gateway.url}/#/node/a`);
  await becomes("the plot of readings", countElements(page, "section.plot"), (count) => count === 4);
  await becomes("drawn", () => isDrawn(page, "Readings in mm/s"), Boolean);
  assert.is(await readText(page, ".legend .name")(), `${HOSTILE} (mm/s)`);
  assert.is(await countElements(page, "img")(), 0);

  // Samples all over what is zoomed into below, whenever they came: their times are those of a busy machine.
  const enough = (ZOOMED_TO - ZOOMED_FROM + 0.02) * (WINDOW_MS / SAMPLE_MS);
  await becomes(
    "samples",
    () => readNewest(page),
    (seq) => seq > enough,
  );
  await page.getByRole("button", { name: "Pause" }).click();
  const still = await becomes("a time", readText(page, ".shown"), (text) => text.includes("–"));
  const seen = await readText(page, ".about")();
  await becomes("samples still come", readText(page, ".about"), (text) => text !== seen);
  assert.is(await readText(page, ".shown")(), still);

  const over = page.locator('section[aria-label="Readings in mm/s"] .u-over');
  const box = (await over.boundingBox())!;
  const at = (part: number) => [box.x + part * box.width, box.y + box.height / 2] as const;
  await page.mouse.move(...at(ZOOMED_FROM));
  await page.mouse.down();
  await page.mouse.move(...at(ZOOMED_TO), { steps: 4 });
  await page.mouse.up();
  await becomes("zoomed", readText(page, ".shown"), (text) => text !== still);
  await page.mouse.click(...at(0.2));
  await page.mouse.move(...at(0.7));
  await becomes("a difference", readText(page, ".legend i"), (text) => /^[+−]?[\d.]+ since A$/.test(text));
  await page.keyboard.press("m");
  await page.getByRole("textbox", { name: /^mark at/ }).fill("door opened");
  await page.getByRole("spinbutton", { name: "least Y of Decision" }).fill("-9");
  await page.getByRole("spinbutton", { name: "largest Y of Decision" }).fill("9");
  await picture(page, "zoomed");

  const { name, bytes } = await saved(page, () => page.getByRole("button", { name: "CSV" }).click());
  assert.match(name, /^a-\d{14}\.csv$/);
  const lines = bytes.toString().trim().split("\n");
  assert.match(lines[0], /^node,sid,seq,time,decision,label,by,mark,/);
  const times = lines.slice(1).map((line) => Date.parse(line.split(",")[3]));
  const span = times[times.length - 1] - times[0];
  assert.ok(span > 0 && span < (ZOOMED_TO - ZOOMED_FROM + 0.01) * WINDOW_MS, `${span} ms`);
  assert.is(lines.filter((line) => line.includes("door opened")).length, 1);
  const png = await saved(page, () => page.getByRole("button", { name: "PNG" }).click());
  assert.equal(
    [...png.bytes.subarray(1, 4)],
    [..."PNG"].map((c) => c.charCodeAt(0)),
  );
  await page.locator("h1").click();
  await page.keyboard.press("Home");
  await becomes("live", readText(page, ".shown"), (text) => text === "live");
  assert.equal(wrong, []);
  await page.close();
});

test("several nodes in one plot; what was before the page looked is there", async () => {
  const { page, wrong } = await open(browser, gateway.url);
  await becomes("rows", countElements(page, ".nodes tbody tr"), (count) => count === NAMES.length);
  const before = Number(
    await page
      .locator("tr", { has: page.getByRole("link", { name: "constructor", exact: true }) })
      .locator("td[data-label=Samples]")
      .innerText(),
  );
  assert.ok(before > 0);
  for (const name of ["a", "constructor"])
    await page.getByRole("checkbox", { name: `compare ${name}`, exact: true }).check();
  await page.getByRole("link", { name: "2 in one plot" }).click();
  await becomes("drawn", () => isDrawn(page, "Nodes in one plot"), Boolean);
  await page.getByRole("combobox", { name: "what is compared" }).selectOption({ label: "decision" });
  await page.getByRole("combobox", { name: "time that is shown" }).selectOption({ label: "5 minutes" });
  await page.keyboard.press("Escape");
  const { bytes } = await saved(page, () => page.getByRole("button", { name: "CSV" }).click());
  const numbers = bytes
    .toString()
    .split("\n")
    .filter((line) => line.startsWith("constructor,"))
    .map((line) => Number(line.split(",")[2]));
  assert.ok(numbers[0] < before, `${numbers[0]} of ${before}`);
  assert.equal(
    numbers,
    numbers.map((_, i) => numbers[0] + i),
  );
  await picture(page, "compare");
  assert.equal(wrong, []);
  await page.close();
});

test("what a node asks for is labelled by keys, taken back, and taught under a name", async () => {
  const { page, wrong } = await open(browser, `${gateway.url}/#/label?node=asks`, {}, withClock);
  const name = page.getByRole("textbox", { name: "your name" });
  await name.pressSequentially("Jo");
  const card = readText(page, ".card");
  const first = await becomes("a question", card, (text) => text.includes("The node asks you"));
  const sample = (text: string) => Number(/sample (\d+)/.exec(text)?.[1]);
  // The name still has the focus: a key that answers isn't typed into it, and ends that.
  await whileStopped(page, async () => {
    await page.keyboard.press("2");
    await becomes("the next", card, (text) => sample(text) !== sample(first));
    assert.match(await readText(page, ".given li")(), /^▲\+1 asks, sample \d+: goes out/);
    await page.keyboard.press("u");
    await becomes("the same again", card, (text) => sample(text) === sample(first));
    for (const key of ["Enter", "Escape"]) {
      await name.focus();
      await page.keyboard.press(key);
      assert.is(await page.locator("input:focus").count(), 0, key);
    }
  });
  assert.is(await name.inputValue(), "Jo");
  await page.keyboard.press("1");
  await becomes("taken", readText(page, ".given li"), (text) =>
    text.includes(`sample ${sample(first)}: taken`),
  );
  for (let i = 0; i < 4; i++) {
    const before = sample(await becomes("a question", card, (text) => sample(text) > 0));
    await page
      .getByRole("button", { name: /^(−1|\+1)/ })
      .nth(i % 2)
      .click();
    await becomes("the next", card, (text) => sample(text) !== before);
  }
  await becomes("curves", countElements(page, ".curve polyline"), (count) => count === 2);
  assert.match(await readText(page, ".curve figcaption")(), /usual [−\d.]+ to [−\d.]+$/);
  await page.getByText("Compare with answered samples").click();
  await becomes("neighbours", countElements(page, ".near thead th"), (count) => count > 2);
  await becomes("who answered", readText(page, "aside tbody tr"), (text) => /^Jo\s+5\s/.test(text));
  await picture(page, "label");
  const state = async () =>
    (await (await fetch(`${gateway.url}/api/nodes/asks`)).json()) as { labelled: number };
  await becomes("learned", state, ({ labelled }) => labelled === 5);
  assert.equal(wrong, []);
  await page.close();
});

test("a decision is taken apart: what each stored vector gave to it, since when, and by whose label", async () => {
  const state = async () => {
    const response = await fetch(`${gateway.url}/api/nodes/constructor`);
    return (await response.json()) as { seq: number; labelled: number; node: { sid: number } };
  };
  const { node, seq: first } = await state();
  for (let k = 0; k < 12; k++) {
    const body = JSON.stringify({ sid: node.sid, seq: first - k, label: k % 2 ? 1 : -1, by: HOSTILE });
    const headers = { "content-type": "application/json" };
    const { status } = await fetch(`${gateway.url}/api/nodes/constructor/labels`, {
      method: "POST",
      headers,
      body,
    });
    assert.is(status, 202);
  }
  const taught = await becomes("labels", state, ({ labelled }) => labelled === 12);
  const { page, wrong } = await open(browser, `${gateway.url}/#/node/constructor`);
  await becomes("drawn", () => isDrawn(page, "Decision"), Boolean);
  await becomes(
    "later samples",
    () => readNewest(page),
    (seq) => seq > taught.seq + 2,
  );
  await page.keyboard.press("x");
  const rows = await becomes("parts", countElements(page, ".explained tbody tr"), (count) => count > 0);
  assert.ok(rows <= 8, `${rows} vectors`);
  assert.match(await readText(page, ".explained h3")(), /^Sample \d+, .*: [+−]1/);
  assert.match(await readText(page, ".explained")(), /olk-c, after label 12\./);
  assert.ok((await readText(page, ".explained tbody tr")()).includes(HOSTILE));
  assert.is(await countElements(page, "img")(), 0);
  await picture(page, "explained");
  await page.getByTitle(`explain the decision on sample ${first}`).click();
  await becomes("the first", readText(page, ".explained h3"), (text) => text.startsWith(`Sample ${first},`));
  await page.locator("#explained").fill("1");
  await page.getByRole("button", { name: "Explain", exact: true }).click();
  await becomes("none", readText(page, ".explained output"), (text) =>
    text.includes("no decision on sample 1 "),
  );
  assert.equal(
    wrong.filter((text) => !text.includes("409")),
    [],
  );
  await page.close();
});

test("a node is configured, kept, and rolled back by clicks; what it refuses is said", async () => {
  const { page } = await open(browser, `${gateway.url}/#/node/asks`, {}, withClock);
  await page.getByText("Commands", { exact: true }).click();
  const said = readText(page, ".commands output");
  const every = page.getByRole("spinbutton", { name: "labels between two checkpoints" });
  await becomes(
    "as it is",
    () => every.getAttribute("placeholder"),
    (text) => text === "4",
  );
  await every.fill("2");
  await page.getByRole("button", { name: "Configure" }).click();
  await becomes("configured", said, (text) => text.includes('"checkpointEvery":2'));
  await page.getByRole("button", { name: "Save now", exact: true }).click();
  await becomes("kept", said, (text) => /^(a checkpoint holds label 5|the node spares its flash)/.test(text));
  await page.getByRole("button", { name: "Keep a copy" }).click();
  await becomes("a copy", said, (text) => text.startsWith("kept a copy after sample"));
  const copy = page.getByRole("link", { name: /^copy of / });
  const { name, bytes } = await saved(page, () => copy.first().click());
  assert.match(name, /^asks-\d+\.json$/);
  assert.is(JSON.parse(String(bytes)).learner, "olk-c");
  await whileStopped(page, async () => {
    await page.getByRole("button", { name: "Roll back" }).click();
    await page.getByRole("button", { name: /^Sure/ }).click();
  });
  await becomes("an answer", said, (text) =>
    /^(resumes after sample|the node holds no checkpoint before)/.test(text),
  );
  await picture(page, "commands");
  const post = async (node: string, body: object) => {
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    const response = await fetch(`${gateway.url}/api/nodes/${node}/commands`, init);
    return [response.status, ((await response.json()) as { error: string }).error] as const;
  };
  assert.is((await post("asks", { do: "explode" }))[0], 400);
  assert.equal(await post("gone", { do: "rollback" }), [409, "there is no connection to the node"]);
  await page.close();
});

test("a node that restarts is marked; a gateway that is killed is found again, and nothing is missing", async () => {
  const { page } = await open(browser, `${gateway.url}/#/node/constructor`);
  await becomes("drawn", () => isDrawn(page, "Decision"), Boolean);
  await killStation(stations.get("constructor")!);
  rmSync(inFolder("constructor"));
  const restarted = await startStation(given("constructor"));
  forLaterTests(restarted);
  stations.set("constructor", restarted);
  await becomes("a restart", readText(page, ".chips"), (text) => text.includes("restarted"));
  await becomes("its line", readText(page, ".events"), (text) => text.includes("restarted"));
  const { port } = new URL(gateway.url);
  await kill(gateway.child);
  await becomes("no connection", readText(page, ".status"), (text) => text.includes("no connection"));
  const nodes = NAMES.map((name) => ({
    name,
    port: `unix:${inFolder(name)}`,
    channels: CHANNELS,
  }));
  gateway = await startGateway(fleet("page", nodes, { port: Number(port) }));
  forLaterTests(gateway.child);
  await becomes("connected", readText(page, ".status"), (text) => text === "connected");
  await becomes("drawn", () => isDrawn(page, "Decision"), Boolean);
  await picture(page, "restarted");
  await page.close();
});

test("by keyboard, in the dark, on a phone: everything is reached and nothing is wider than the screen", async () => {
  const phone = { viewport: { width: 390, height: 800 }, colorScheme: "dark" as const };
  const { page, wrong } = await open(browser, gateway.url, phone);
  await becomes("rows", countElements(page, ".nodes tbody tr"), (count) => count === NAMES.length);
  const tooWide = () => page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
  assert.ok((await tooWide()) <= 0);
  await page.keyboard.press("Tab");
  assert.is(await page.evaluate("document.activeElement.textContent"), "to the content");
  await picture(page, "phone");
  await page.getByRole("link", { name: "a", exact: true }).focus();
  await page.keyboard.press("Enter");
  await becomes("drawn", () => isDrawn(page, "Decision"), Boolean);
  assert.ok((await tooWide()) <= 0, `${await tooWide()}`);
  await page.keyboard.press(" ");
  await page.getByRole("button", { name: "Resume" }).waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog").getByText("pause, or resume").waitFor();
  await picture(page, "phone-node");
  assert.equal(wrong, []);
  await page.close();
});

test("a link leads to the page for a board at this computer, which asks the gateway for nothing", async () => {
  const { page, wrong, asked } = await open(browser, gateway.url);
  await page.getByRole("link", { name: "Board by USB" }).click();
  await page.getByRole("heading", { name: "View a board" }).waitFor();
  assert.is(new URL(page.url()).pathname, "/serial.html");
  const after: string[] = [];
  page.on("request", (request) => after.push(request.url()));
  await page.getByRole("link", { name: "Connect" }).click();
  assert.is(await page.evaluate("typeof motelearn"), "undefined");
  assert.equal(wrong, []);
  assert.equal([...asked], [gateway.url]);
  assert.equal(after, []);
  await picture(page, "board-page");
  const { headers } = await fetch(`${gateway.url}/serial.html`);
  assert.match(headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
  await page.close();
});

test("the page's script runs from its file alone, and its interface answers nobody else", async () => {
  const { headers } = await fetch(gateway.url);
  const policy = headers.get("content-security-policy") ?? "";
  assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'/);
  assert.not.match(policy, /unsafe/);
  for (const path of ["/api/live", "/api/nodes/a/history", "/page.js"]) {
    const other = await fetch(gateway.url + path, { headers: { origin: "http://evil.example" } });
    assert.is(other.status, 403, path);
  }
  const status = async (path: string) => (await fetch(gateway.url + path)).status;
  assert.is(await status("/api/live?node=nobody"), 404);
  assert.is(await status("/api/nodes/a/history?points=x"), 400);
  assert.is(await status("/api/nodes/a/history?from=9&to=5"), 400);
  assert.is(await status("/page/../fleet.db"), 404);
});

test.run();
