import { existsSync, readFileSync } from "node:fs";
import { UserError } from "../../host/errors.ts";
import { parseJson } from "../../host/json.ts";
import type { Hello } from "../session/hello.ts";
import { LineFile } from "./line-file.ts";
import type { RecordingSession } from "./recording.ts";

export const STAYS_SCHEMA = "motelearn.stays/1";

/**
 * FILE.stays beside a stream file: for each stay at a port a line `stay`, one for each `start` of the node
 * and each `mark` as it happens, and one `end` with all counts. It is made when a node is first met.
 */
export class RecordingSessions {
  private readonly path: string;
  private lines: LineFile | undefined;

  /** Throws a UserError if it should append to a file of another kind. */
  constructor(
    file: string,
    private readonly append: boolean,
    private readonly stay: RecordingSession,
  ) {
    this.path = `${file}.stays`;
    if (append) checkSchema(this.path);
  }

  started(hello: Hello): void {
    if (!this.lines) {
      const { port, node, label, began } = this.stay;
      this.lines = new LineFile(this.path, this.append ? "a+" : "w+");
      this.lines.write({ schema: STAYS_SCHEMA, type: "stay", port, node, label, began });
    }
    this.lines.write({ type: "start", time: Date.now(), hello });
  }

  marked(mark: RecordingSession["marks"][number]): void {
    this.lines?.write({ type: "mark", ...mark });
  }

  /** Ends the stay. */
  close(): void {
    const { port: _, node, label, began, hellos, marks, ...counts } = this.stay;
    this.lines?.write({ type: "end", ...counts });
    this.lines?.close();
  }
}

function checkSchema(path: string): void {
  if (!existsSync(path)) return;
  try {
    const [first] = readFileSync(path, "utf8").split("\n", 1);
    const { schema } = parseJson(first) as { readonly schema?: unknown };
    if (schema === STAYS_SCHEMA) return;
  } catch {} // said below
  throw new UserError(`${path}: not of schema ${STAYS_SCHEMA}; move it away, or record into another file`);
}
