import { printJsonLine, printLine } from "../../host/terminal/print.ts";
import { withoutPassword } from "../../host/terminal/without-password.ts";

const LOG_SCHEMA = "motelearn.gateway-log/1";
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type Level = (typeof LOG_LEVELS)[number];

/**
 * The gateway's log, a line an event: for people, or as JSON. Nothing that contains keys or passwords is
 * logged.
 */
export class Log {
  constructor(
    private readonly least: Level,
    private readonly json: boolean,
  ) {}

  /** @param node the event's node; "" for the gateway itself. */
  write(level: Level, node: string, event: string, message: string): void {
    if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(this.least)) return;
    const text = withoutPassword(message);
    const time = new Date().toISOString();
    if (this.json) printJsonLine({ schema: LOG_SCHEMA, time, level, ...(node && { node }), event, text });
    else printLine(`${time} ${level.padEnd(5)} ${node && `${node}: `}${text}`);
  }
}
