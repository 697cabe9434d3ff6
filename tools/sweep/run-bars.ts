import cliProgress from "cli-progress";
import { timeText } from "../cli/time-left.ts";

/** On a terminal a bar of runs with the remaining time, above lines of text; elsewhere it prints nothing. */
export class RunBars {
  private readonly bars: cliProgress.MultiBar | undefined;
  private readonly whole: cliProgress.SingleBar | undefined;
  private readonly lines = new Map<string, cliProgress.SingleBar>();
  private done = 0;

  /** @param total of the runs that are still to be done, beside those that were done `before`. */
  constructor(
    what: string,
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
      { runs: this.counted() },
      { format, formatTime: timeText },
    );
  }

  /** One more run is done. */
  add(): void {
    this.done++;
    this.whole?.update(this.done, { runs: this.counted() });
  }

  /** Shows a text in the line of that name. */
  show(name: string, text: string): void {
    const line = this.lines.get(name) ?? this.bars?.create(1, 0, { text });
    if (!line) return;
    this.lines.set(name, line);
    line.update(0, { text: `  ${text}` });
  }

  stop(): void {
    this.bars?.stop();
  }

  private counted(): string {
    return `${this.before + this.done}/${this.before + this.total}`;
  }
}
