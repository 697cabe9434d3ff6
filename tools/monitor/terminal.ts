import type { ReadStream, WriteStream } from "node:tty";
import type { ScreenLine } from "./screen.ts";

const ENTER = "\x1b[?1049h\x1b[?25l";
const LEAVE = "\x1b[?25h\x1b[?1049l";
const STYLES = { title: "\x1b[7m", bad: "\x1b[31m", quiet: "\x1b[2m", curve: "\x1b[36m" };
const NAMED = "\x1b[1m";
const PLAIN = "\x1b[0m";

/** True if the terminal shows more than ASCII, as the locale says. */
export function showsUnicode(env: NodeJS.ProcessEnv): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || "";
  return process.platform === "win32" || /utf-?8/i.test(locale);
}

function styleLine({ text, name = 0, style }: ScreenLine): string {
  if (process.env.NO_COLOR) return style === "title" ? `${STYLES.title}${text}${PLAIN}` : text;
  const named = name > 0 ? `${NAMED}${text.slice(0, name)}${PLAIN}` : "";
  const rest = text.slice(name);
  return named + (style ? `${STYLES[style]}${rest}${PLAIN}` : rest);
}

/** The terminal's alternate screen while it is open; it restores the terminal however the program ends. */
export class Terminal {
  private open = true;
  private readonly leave = () => this.close();

  constructor(
    private readonly out: WriteStream,
    resized: () => void,
  ) {
    process.on("exit", this.leave);
    out.on("resize", resized);
    out.write(ENTER);
  }

  show(lines: readonly ScreenLine[]): void {
    if (!this.open) return;
    const rows = lines.map((line, row) => `\x1b[${row + 1};1H\x1b[K${styleLine(line)}`);
    this.out.write(rows.join(""));
  }

  close(): void {
    if (!this.open) return;
    this.open = false;
    process.off("exit", this.leave);
    this.out.write(LEAVE);
  }
}

/** Reads keys, from a terminal one by one, else as they come. Returns a function that restores the input. */
export function listenForKeys(input: ReadStream, pressed: (key: string) => void): () => void {
  const raw = input.isTTY === true;
  const take = (bytes: Buffer) => {
    for (const key of bytes.toString()) {
      if (key === "\x03") process.kill(process.pid, "SIGINT");
      else pressed(key);
    }
  };
  const leave = () => {
    input.off("data", take);
    if (raw) input.setRawMode(false);
    input.pause();
    process.off("exit", leave);
  };
  if (raw) input.setRawMode(true);
  input.on("data", take);
  input.on("error", () => {});
  process.on("exit", leave);
  return leave;
}
