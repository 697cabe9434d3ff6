import type { Writable } from "node:stream";
import { printable, printableJson } from "../../host/printable.ts";
import { onOutputFailure } from "../../host/terminal/exit.ts";
import { printNote } from "../../host/terminal/print.ts";
import { withoutPassword } from "../../host/terminal/without-password.ts";

const LOG_SCHEMA = "motelearn.gateway-log/1";
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type Level = (typeof LOG_LEVELS)[number];

/** Characters that wait for a reader of the log that is too slow; further lines are lost. */
const BACKLOG_MAX = 1 << 20;

/**
 * The gateway's log, a line an event: for people, or as JSON. Nothing that contains keys or passwords is
 * logged. A full disk doesn't end the gateway: once the log can be written again, it says how many lines it lacks.
 */
export class Log {
  /** Lines that couldn't be written since the last one that was. */
  private lost = 0;
  private why = "";

  constructor(
    private readonly least: Level,
    private readonly json: boolean,
    private readonly out: Pick<Writable, "write" | "writableLength"> = process.stdout,
  ) {
    onOutputFailure(() => {}); // each line hears of its own
  }

  /** @param node the event's node; "" for the gateway itself. */
  write(level: Level, node: string, event: string, message: string): void {
    if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(this.least)) return;
    if (this.lost > 0) {
      const lines = this.lost;
      this.lost = 0;
      this.put(
        this.line("warn", "", "log", `lines of this log that couldn't be written (${this.why}): ${lines}`),
        lines,
      );
    }
    this.put(this.line(level, node, event, withoutPassword(message)), 1);
  }

  private line(level: Level, node: string, event: string, text: string): string {
    const time = new Date().toISOString();
    return this.json
      ? printableJson({ schema: LOG_SCHEMA, time, level, ...(node && { node }), event, text })
      : printable(`${time} ${level.padEnd(5)} ${node && `${node}: `}${text}`);
  }

  /** @param lines that are lost where this one can't be written. */
  private put(line: string, lines: number): void {
    if (this.out.writableLength > BACKLOG_MAX) this.lose(lines, "its reader is too slow");
    else
      this.out.write(`${line}\n`, (error) => {
        if (error) this.lose(lines, (error as NodeJS.ErrnoException).code ?? error.message);
        else this.why = "";
      });
  }

  private lose(lines: number, why: string): void {
    if (this.why !== why)
      printNote(`motelearn: the log can't be written (${why}); the gateway continues without a log`);
    this.why = why;
    this.lost += lines;
  }
}
