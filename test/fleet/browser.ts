import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { become, LIMIT_MS } from "../tools/awaited.ts";
import { endsWithTest } from "../tools/contained.ts";

const PROGRAM = process.env.CHROMIUM ?? "/usr/bin/chromium";
/** The folder for screenshots of tests. */
const PICTURES = join(process.cwd(), "dist/test/pictures");

/** Starts the system's Chromium. */
export async function startBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: PROGRAM,
    args: ["--no-sandbox"],
    timeout: LIMIT_MS,
  });
  browser.once(
    "disconnected",
    endsWithTest(() => browser.close()),
  );
  return browser;
}

/** A page in a browser, with all its errors and requested addresses. */
export interface Watched {
  readonly page: Page;
  readonly wrong: string[];
  readonly asked: Set<string>;
}

/** Opens a page whose faults and requests are kept. `before`: what is prepared before it loads. */
export async function open(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
  before?: (page: Page) => Promise<void>,
): Promise<Watched> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  page.setDefaultTimeout(LIMIT_MS);
  const wrong: string[] = [];
  const asked = new Set<string>();
  page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
  page.on("pageerror", (error) => wrong.push(String(error)));
  page.on("request", (request) => asked.add(new URL(request.url()).origin));
  await before?.(page);
  await page.goto(address);
  return { page, wrong, asked };
}

export async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
}

/** Clicks, and reads the file that the page then has the browser save. */
export async function saved(
  page: Page,
  click: () => Promise<void>,
): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent("download"), click()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

/** For `open`: a page whose clock `whileStopped` may stop. */
export function withClock(page: Page): Promise<void> {
  return page.clock.install();
}

/** Stops the page's clock while `act` runs: what the page allows for seconds lasts as long as a busy machine needs. */
export async function whileStopped(page: Page, act: () => Promise<void>): Promise<void> {
  await page.clock.pauseAt((await page.evaluate<number>("Date.now()")) + 1000);
  await act();
  await page.clock.resume();
}

/** Polls until the value is right, since a page updates at unknown times. */
export async function becomes<T>(
  what: string,
  read: () => Promise<T>,
  right: (value: T) => boolean,
): Promise<T> {
  let value = await read();
  const done = async () => {
    value = await read();
    return right(value);
  };
  await become(what, done, () => JSON.stringify(value), 50);
  return value;
}
