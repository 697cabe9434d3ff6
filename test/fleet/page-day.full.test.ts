import type { CDPSession, Page } from "playwright-core";
import * as assert from "uvu/assert";
import { nameLearner } from "../../tools/fusion/lines.ts";
import { ended, test } from "../tools/contained.ts";
import { inFolder, killStation, startStation, takeSamples } from "../tools/stations.ts";
import { NODE } from "../tools/taught-node.ts";
import { becomes, open, startBrowser } from "./browser.ts";
import { fleet, startGateway } from "./fleets.ts";

const HOURS = 48;
/** Chromium frees memory when it likes: the least heap of so many hours is what the page holds. */
const HOURS_COMPARED = 6;
/**
 * Bytes by which the heap may grow in the second half, once the page has all rows that it keeps. One that kept them all would grow by 8.6 MB:
 * a row takes 100 or more. What Chromium holds besides goes up and down by 2 MB on a busy machine.
 */
const GROWTH_MAX = 4e6;

/** Keeps the streams that the page opens, so that a test can have more come over them. */
const KEEP_STREAMS = `
  const Real = window.EventSource;
  window.EventSource = class extends Real {
    constructor(url) { super(url); window.stream = this; }
  };`;

/** An hour of what the gateway sends to a page that shows a node with one sample a second, a label and an event each minute. */
function anHour(page: Page, hour: number): Promise<void> {
  return page.evaluate((hour) => {
    const { stream } = globalThis as unknown as { stream: EventTarget };
    const send = (name: string, body: object) =>
      stream.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(body) }));
    for (let second = 1; second <= 3600; second++) {
      const seq = 3600 * hour + second;
      const time = Date.now();
      send("rows", { n1: [[time, 9, seq, Math.sin(seq / 100), 0, [seq % 7, seq % 5]]] });
      if (second % 60 !== 0) continue;
      send("label", { node: "n1", time, sid: 9, seq, y: 1, by: "anna" });
      send("event", { node: "n1", time, kind: "note", text: `minute ${seq / 60}` });
    }
  }, hour);
}

async function measureHeap(session: CDPSession): Promise<number> {
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  return usedSize;
}

test("a tab left open for two days of messages takes no more memory than after one, and still follows", async () => {
  const listen = inFolder("day");
  const station = await startStation({ listen, node: nameLearner(NODE) });
  const gateway = await startGateway(fleet("day", [{ name: "n1", port: `unix:${listen}` }]));
  const browser = await startBrowser();
  const before = async (page: Page) => {
    await page.addInitScript(KEEP_STREAMS);
  };
  const { page, wrong } = await open(browser, `${gateway.url}/#/node/n1`, {}, before);
  const text = () => page.locator("main").innerText();
  takeSamples(station, 3);
  await becomes("the node", text, (shown) => shown.includes("olk-c"));
  const session = await page.context().newCDPSession(page);
  const heaps: number[] = [];
  for (let hour = 1; hour <= HOURS; hour++) {
    await anHour(page, hour);
    heaps.push(await measureHeap(session));
  }
  const leastUntil = (hour: number) => Math.min(...heaps.slice(hour - HOURS_COMPARED, hour));
  assert.ok(leastUntil(HOURS) - leastUntil(HOURS / 2) < GROWTH_MAX, `bytes after each hour: ${heaps}`);
  takeSamples(station, 4);
  await becomes("samples after those days", text, (shown) => shown.includes("sample 7"));
  assert.equal(wrong, []);
  await browser.close();
  assert.is(await ended(gateway.child, "SIGTERM"), 0);
  await killStation(station);
});

test.run();
