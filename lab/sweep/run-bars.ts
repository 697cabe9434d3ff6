import cliProgress from "cli-progress";
import { BAR_SIZE, timeText } from "../../host/terminal/jobs-bar.ts";
import { printNote } from "../../host/terminal/print.ts";

/** Runs after which the remaining time is estimated, once, where there is no bar. */
const ESTIMATED_BY = 20;
/** Minutes; a shorter rest isn't worth a line. */
const WORTH_A_LINE = 10;

/** The remaining time in words, by the runs that took so long; undefined where it is short. */
export function estimateText(what: string, done: number, seconds: number, left: number): string | undefined {
  const minutes = ((seconds / done) * left) / 60;
  if (minutes < WORTH_A_LINE) return undefined;
  const time = minutes < 120 ? `${Math.round(minutes)} minutes` : `${Math.round(minutes / 60)} hours`;
  return `${what}: about ${time} for the other ${left.toLocaleString("en-US")} runs, by the first ${done}`;
}

/** On a terminal a bar of runs with the remaining time, above lines of text; elsewhere a line where much time remains. */
export class RunBars {
  private readonly bars: cliProgress.MultiBar | undefined;
  private readonly whole: cliProgress.SingleBar | undefined;
  private readonly lines = new Map<string, cliProgress.SingleBar>();
  private done = 0;
  private readonly begun = performance.now();

  /** @param total of the runs that are still to be done, beside those that were done `before`. */
  constructor(
    private readonly what: string,
    private readonly total: number,
    private readonly before: number,
  ) {
    if (!process.stderr.isTTY) return;
    const options = { stream: process.stderr, hideCursor: false, etaBuffer: 500, format: "{text}" };
    this.bars = new cliProgress.MultiBar(options, cliProgress.Presets.shades_classic);
    const format = `${what} {bar} {percentage} %, {runs} runs, {duration_formatted}, {eta_formatted} left`;
    this.whole = this.bars.create(
      Math.max(1, total),
      0,
      { runs: this.countText() },
      { format, formatTime: timeText, barsize: BAR_SIZE },
    );
  }

  finished(): void {
    this.done++;
    this.whole?.update(this.done, { runs: this.countText() });
    if (!this.bars && this.done === ESTIMATED_BY) this.noteEstimate();
  }

  private noteEstimate(): void {
    const { what, done, total, begun } = this;
    const text = estimateText(what, done, (performance.now() - begun) / 1000, total - done);
    if (text !== undefined) printNote(text);
  }

  show(name: string, text: string): void {
    const line = this.lines.get(name) ?? this.bars?.create(1, 0, { text });
    if (!line) return;
    this.lines.set(name, line);
    line.update(0, { text: `  ${text}` });
  }

  stop(): void {
    this.bars?.stop();
  }

  private countText(): string {
    return `${this.before + this.done}/${this.before + this.total}`;
  }
}
