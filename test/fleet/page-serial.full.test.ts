import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { start } from "../cli/program.ts";
import { become } from "../tools/awaited.ts";
import { test } from "../tools/contained.ts";
import { inFolder } from "../tools/stations.ts";
import { becomes, open, picture, startBrowser } from "./browser.ts";

/** A Web Serial port that carries the bytes of a socket: the browser's view, and its calls. */
const STAND_IN = `
  let feed;
  globalThis.boardSays = (bytes) => feed?.enqueue(Uint8Array.from(bytes));
  globalThis.unplug = () => feed?.error(new Error("The device has been lost."));
  const port = {
    async open({ baudRate }) {
      await globalThis.openBoard(baudRate);
      port.readable = new ReadableStream({ start: (controller) => { feed = controller; } });
      port.writable = new WritableStream({ write: (bytes) => globalThis.toBoard([...bytes]) });
    },
    async close() { feed = undefined; },
    async setSignals() {},
  };
  Object.defineProperty(navigator, "serial", { value: { requestPort: async () => port } });
`;

/** Joins a page's stand-in to a board's socket. */
async function plugIn(page: Page, path: string): Promise<{ rates: number[] }> {
  const rates: number[] = [];
  let socket: Socket | undefined;
  let said = Promise.resolve();
  await page.exposeFunction("openBoard", async (rate: number) => {
    rates.push(rate);
    if (socket) return;
    const made = connect(path);
    await once(made, "connect");
    socket = made;
    made.on("data", (bytes) => {
      said = said
        .then(() => page.evaluate(`boardSays(${JSON.stringify([...bytes])})`))
        .then(
          () => {},
          () => {},
        );
    });
  });
  await page.exposeFunction("toBoard", (bytes: number[]) => void socket?.write(Uint8Array.from(bytes)));
  await page.addInitScript(STAND_IN);
  return { rates };
}

const readText = (page: Page, selector: string) => () => page.locator(selector).first().innerText();
const FILE = pathToFileURL(join(process.cwd(), "dist/page/serial.html")).href;

test("one file looks at a board in QEMU over Web Serial, teaches it, and finds it again, with no server", async () => {
  const listen = inFolder("board");
  // Slow samples: one waits for its label while 64 others come, and a page sends a label after seconds.
  const options = ["--flash", inFolder("flash"), "--sample-ms", "600"];
  const board = start("board", "--unix", listen, ...options);
  await board.says("Ctrl-C ends it");
  const browser = await startBrowser();
  let plugged: { rates: number[] } = { rates: [] };
  const { page, wrong, asked } = await open(browser, FILE, {}, async (page) => {
    plugged = await plugIn(page, listen);
  });
  await picture(page, "connect");
  await page.getByRole("combobox", { name: "Bits a second" }).selectOption("230400");
  await page.getByRole("button", { name: "Choose a board" }).click();
  await page.getByRole("heading", { name: "board" }).waitFor();
  await becomes("met", readText(page, ".about"), (text) => text.includes("olk-c"));
  assert.equal(plugged.rates, [230400]);
  const parseSample = (text: string) => Number(/sample (\d+)$/.exec(text)?.[1]);
  await becomes("samples", readText(page, ".about"), (text) => parseSample(text) > 4);
  await becomes("the same bits", readText(page, ".figures"), (text) => text.includes("same bits"));
  await becomes("readings", readText(page, ".legend b"), (text) => /\d/.test(text));
  await picture(page, "serial");

  await page.getByRole("link", { name: "Questions" }).click();
  const card = readText(page, ".card");
  const labels = () => page.locator(".given li .outcome").count();
  // A key pressed while the card of one sample gives way to the next labels nothing: it is pressed again.
  for (let i = 0; i < 3; i++) {
    const press = async () => {
      await becomes("a sample", card, (text) => text.includes("sample "));
      await page.keyboard.press(String(1 + (i % 2)));
      return labels();
    };
    await becomes("one more label", press, (count) => count > i);
  }
  await becomes("taken", readText(page, ".given li"), (text) => text.includes("taken"));
  await page.getByRole("link", { name: "Node" }).click();
  // On a busy machine a label may come after 64 more samples.
  const answered = () => page.locator("tr", { hasText: /learned|too late/ }).count();
  await becomes("answers", answered, (count) => count >= 3);
  assert.ok((await page.locator("tr", { hasText: "learned" }).count()) > 0, "none came in time");

  await page.evaluate("unplug()");
  await becomes("lost", readText(page, ".status"), (text) => text.includes("lost"));
  await becomes("again", readText(page, ".status"), (text) => text === "connected");
  const back = parseSample(await readText(page, ".about")());
  await becomes("more samples", readText(page, ".about"), (text) => parseSample(text) > back);
  await page.getByRole("link", { name: "Connect" }).click();
  await page.getByRole("button", { name: "Release the port" }).click();
  await becomes("free", readText(page, ".status"), (text) => text === "no board is connected");
  assert.equal(wrong, []);
  assert.equal([...asked], ["null"]);
  await browser.close();
  board.child.kill("SIGTERM");
  await become("the board's end", () => board.child.exitCode !== null, board.printed);
});

test("without Web Serial the page says so", async () => {
  const browser = await startBrowser();
  const before = (page: Page) =>
    page.addInitScript('Object.defineProperty(navigator, "serial", { value: undefined })').then(() => {});
  const { page, wrong } = await open(browser, FILE, {}, before);
  await becomes("why", readText(page, ".missing"), (text) => text.includes("no Web Serial"));
  assert.equal(wrong, []);
  await browser.close();
});

test.run();
