import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { UserError } from "../../host/errors.ts";
import { average, median } from "../../host/statistics.ts";
import type { NodeState } from "../api/node-state.ts";
import { Live } from "../gateway/live.ts";
import { sendPage } from "../gateway/page.ts";

const NODES = 20;
const PER_SECOND = 50;
const CHANNELS = 2;
const PAINTS = 5;
const SECONDS = 10;
/** An hour of samples at so many times the real rate. */
const HOUR_SECONDS = 3600;
const HASTE = 60;
const FEED_MS = 20;
const HEAPS = 6;

/** A page's performance while a fleet's samples come. */
interface PageCost {
  /** Median, from navigation to the first text. */
  readonly firstPaintMs: number;
  /** Samples, screen frames and plot drawings a second, at the nodes' own rate. */
  readonly live: Rate;
  /** The same with an hour in a minute. */
  readonly hour: Rate;
  /** Heap in megabytes after a collection, at equal intervals through that hour. */
  readonly heapsMb: readonly number[];
}

export interface Rate {
  readonly samples: number;
  readonly pictures: number;
  readonly drawings: number;
}

/** The page's own server and stream, with waves in place of nodes. */
class Fed {
  readonly names = Array.from({ length: NODES }, (_, i) => `node-${i + 1}`);
  sent = 0;
  private readonly started = Date.now();
  private readonly live = new Live(() => this.states);
  private readonly server: Server;
  private timer: NodeJS.Timeout | undefined;

  constructor() {
    this.server = createServer((request, response) => {
      const [path, query] = (request.url ?? "/").split("?");
      if (sendPage(path, response)) return;
      if (path === "/api/session") {
        response.end(JSON.stringify({ users: false }));
        return;
      }
      if (path === "/api/live") {
        this.live.join(response, new Set(new URLSearchParams(query).getAll("node")), {
          name: "",
          valid: () => true,
        });
        return;
      }
      const now = Date.now();
      const empty = { schema: "motelearn.history/1", node: "", from: 0, to: now, every: 1 };
      response.end(JSON.stringify({ ...empty, rows: [], labels: [], events: [] }));
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((done) => this.server.listen(0, "127.0.0.1", done));
    return `http://localhost:${(this.server.address() as AddressInfo).port}`;
  }

  /** Sends samples at so many times the nodes' rate. */
  feed(haste: number): void {
    clearInterval(this.timer);
    const [from, sent] = [performance.now(), this.sent];
    this.timer = setInterval(() => {
      const due = sent + Math.floor(((performance.now() - from) / 1000) * PER_SECOND * haste);
      for (; this.sent < due; this.sent++) for (const [i, name] of this.names.entries()) this.sample(name, i);
    }, FEED_MS);
  }

  close(): void {
    clearInterval(this.timer);
    this.live.close();
    this.server.closeAllConnections();
    this.server.close();
  }

  private sample(name: string, i: number): void {
    const seq = this.sent + 1;
    const x = Float32Array.from({ length: CHANNELS }, (_, k) => i + ((seq * (3 + k + i)) % 101) / 101);
    this.live.sample(name, 1, seq, x);
    this.live.prediction(name, 1, seq, x[0] - i - 0.5, 0, undefined);
  }

  private get states(): NodeState[] {
    const heard = Date.now();
    const link = { open: true, losses: 0, bytes: 0, damaged: 0, damagedBytes: 0, forged: 0 };
    return this.names.map((name) => ({
      ...{ name, port: "", connected: true, waiting: 0, asking: 0, when: { heard, started: this.started } },
      ...{ starts: 1, seq: this.sent, labelled: 0, durable: 0, link, dropped: 0, marks: 0 },
      prequential: { kind: "accuracy" as const },
    }));
  }
}

async function startBrowser(): Promise<Browser> {
  let library: typeof import("playwright-core");
  try {
    library = await import("playwright-core");
  } catch {
    throw new UserError("bench --page: needs the package playwright-core: npm install playwright-core");
  }
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  try {
    return await library.chromium.launch({ executablePath, args: ["--no-sandbox"] });
  } catch {
    throw new UserError(`bench --page: ${executablePath} can't be started; CHROMIUM names another Chromium`);
  }
}

async function firstPaint(browser: Browser, url: string): Promise<number> {
  const page = await browser.newPage();
  await page.goto(url);
  const paint = await page.evaluate<number>(`new Promise((done) => {
    new PerformanceObserver((list) => done(list.getEntries()[0].startTime)).observe({ type: "paint", buffered: true });
  })`);
  await page.close();
  return paint;
}

async function measureRate(page: Page, fed: Fed, seconds: number): Promise<Rate> {
  const sent = fed.sent;
  const [pictures, drawings, ms] = await page.evaluate<number[]>(`new Promise((done) => {
    const [start, before] = [performance.now(), globalThis.motelearn.frames];
    let pictures = 0;
    const count = () => {
      pictures++;
      const ms = performance.now() - start;
      if (ms < ${1000 * seconds}) requestAnimationFrame(count);
      else done([pictures, globalThis.motelearn.frames - before, ms]);
    };
    requestAnimationFrame(count);
  })`);
  const perSecond = (count: number) => (1000 * count) / ms;
  return {
    samples: perSecond((fed.sent - sent) * NODES),
    pictures: perSecond(pictures),
    drawings: perSecond(drawings),
  };
}

async function heapMb(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize / 2 ** 20;
}

/** Has Chromium show 20 nodes of 50 samples a second in one plot: live, then an hour in a minute. */
export async function benchmarkPage(): Promise<PageCost> {
  const fed = new Fed();
  const url = await fed.listen();
  const browser = await startBrowser();
  try {
    const paints: number[] = [];
    for (let i = 0; i < PAINTS; i++) paints.push(await firstPaint(browser, url));
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(`${url}/#/compare?${fed.names.map((name) => `node=${name}`).join("&")}`);
    await page.waitForSelector("canvas");
    fed.feed(1);
    await measureRate(page, fed, SECONDS / 2);
    const live = await measureRate(page, fed, SECONDS);
    fed.feed(HASTE);
    const rates: Rate[] = [];
    const heapsMb: number[] = [];
    for (let i = 0; i < HEAPS; i++) {
      rates.push(await measureRate(page, fed, HOUR_SECONDS / HASTE / HEAPS));
      heapsMb.push(await heapMb(page));
    }
    const mean = (name: keyof Rate) => average(rates.map((rate) => rate[name]));
    const hour = { samples: mean("samples"), pictures: mean("pictures"), drawings: mean("drawings") };
    return { firstPaintMs: median(paints), live, hour, heapsMb };
  } finally {
    await browser.close();
    fed.close();
  }
}
