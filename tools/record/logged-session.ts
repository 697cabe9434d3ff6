import { readFile } from "node:fs/promises";
import { UserError } from "../../host/errors.ts";
import { parseObject } from "../../host/streams/ndjson.ts";
import { StreamError } from "../../host/streams/stream-error.ts";
import { TextSource } from "../../host/streams/text.ts";
import { SOURCE_UNTOLD } from "../../src/node/ports.ts";
import type { AnsweredLabel, ReplayedSession, TakenSample } from "../explanation/node-replay.ts";
import type { Hello } from "../session/hello.ts";

/** A node's session in a log of `monitor`, from its first sample to the one that was asked for. */
export interface LoggedSession extends ReplayedSession {
  readonly sid: number;
  readonly channels: number;
  /** The node's hello in FILE.stays; undefined: the file isn't there, or lacks that start. */
  readonly hello: Hello | undefined;
  /** True if the fleet's model made the prediction that was asked for; then the labels have all models. */
  readonly ofModel: boolean;
}

/** The session of a model, which labels no sample. */
const NO_SESSION = 0;

class SessionLines {
  readonly samples = new Map<number, Float32Array>();
  /** The node's decisions; null: unreadable. */
  readonly decisions = new Map<number, number | null>();
  /** The samples on which the fleet's model decided. */
  readonly ofFleet = new Set<number>();
  readonly labels: AnsweredLabel[] = [];
  last = 0;
  /** Models with their bytes; the number of the first without, if there is one. */
  private models = 0;
  private lacking: number | undefined;

  constructor(readonly sid: number) {}

  take(line: Record<string, unknown>): void {
    const seq = Number(line.seq);
    if (Array.isArray(line.x)) {
      this.samples.set(seq, Float32Array.from(line.x as number[]));
      this.last = seq;
    } else if (line.type === "prediction") {
      if (line.fleet === true) this.ofFleet.add(seq);
      this.decisions.set(seq, line.decision as number | null);
    }
  }

  /** A label that the node answered after the last sample, of this session or of an earlier one. */
  answered(line: Record<string, unknown>): void {
    const { number, sid, seq, label, source, confidence, status } = line as Record<string, number>;
    this.labels.push({
      ...{ number, sid, seq, y: label, by: "", time: Number(line.time ?? 0) },
      ...{ source: source ?? SOURCE_UNTOLD, confidence: confidence ?? 255 },
      isLost: status !== undefined && line.status !== "applied",
      // Without a status its acknowledgement was lost: a later message showed that it was processed.
      ...(status !== undefined && { after: this.last }),
    });
  }

  /** A model that the node answered in a label's place. */
  installed(line: Record<string, unknown>): void {
    const { number, status, time, model } = line;
    const isLost = status !== undefined && status !== "applied";
    if (typeof model === "string") this.models++;
    else if (!isLost) this.lacking ??= Number(number);
    this.labels.push({
      ...{ number: Number(number), sid: NO_SESSION, seq: 0, y: 0, source: SOURCE_UNTOLD, confidence: 255 },
      ...{ by: "", time: Number(time ?? 0) },
      isLost: isLost || typeof model !== "string",
      ...(typeof model === "string" && { model: Uint8Array.from(Buffer.from(model, "base64")) }),
      ...(status !== undefined && { after: this.last }),
    });
  }

  /**
   * All samples until that one. One that the log lacks is 0 in all readings: where it matters, later decisions differ. Where a model
   * is lacking, the decisions of models prove nothing.
   */
  until(seq: number, channels: number): TakenSample[] {
    const isProof = (seq: number) => this.hasModels || !this.ofFleet.has(seq);
    return Array.from({ length: seq }, (_, i) => {
      const x = this.samples.get(i + 1);
      return x
        ? { seq: i + 1, x, decision: isProof(i + 1) ? this.decisions.get(i + 1) : null }
        : { seq: i + 1, x: new Float32Array(channels) };
    });
  }

  /** The labels from the first on, without a gap; without models where one is lacking, as the own learner needs none. */
  inOrder(): AnsweredLabel[] {
    const gap = this.labels.findIndex(({ number }, i) => number !== i + 1);
    const labels = gap < 0 ? this.labels : this.labels.slice(0, gap);
    return this.hasModels ? labels : labels.map((each) => (each.model ? { ...each, isLost: true } : each));
  }

  /** True if it has each model that the node took. */
  get hasModels(): boolean {
    return this.models > 0 && this.lacking === undefined;
  }

  /** Why a decision of the fleet's model can't be explained; undefined: it can be. */
  get lacks(): string | undefined {
    if (this.hasModels) return undefined;
    return this.lacking === undefined
      ? "holds no models"
      : `lacks the bytes of the model in place of label ${this.lacking}: monitor began while it was sent`;
  }
}

/** The sessions of a log, in their order. */
async function readSessions(file: string): Promise<SessionLines[]> {
  const sessions: SessionLines[] = [];
  const text = new TextSource(file);
  let number = 0;
  try {
    for await (const lines of text.lines()) {
      for (const row of lines) {
        number++;
        if (row.trim() === "") continue;
        const line = parseObject(file, number, row);
        const current = sessions.at(-1);
        if (line.type === "label") current?.answered(line);
        else if (line.type === "install") current?.installed(line);
        else if (current && line.sid === current.sid) current.take(line);
        else if (line.sid !== undefined) {
          sessions.push(new SessionLines(Number(line.sid)));
          sessions.at(-1)?.take(line);
        }
      }
    }
  } finally {
    await text.close();
  }
  return sessions;
}

/** The node's hello of that session; undefined without FILE.stays. */
async function readHello(file: string, sid: number): Promise<Hello | undefined> {
  const stays = await readFile(`${file}.stays`, "utf8").catch(() => "");
  const rows = stays.split("\n").filter((row) => row.trim() !== "");
  const lines = rows.map((row, i) => parseObject(`${file}.stays`, i + 1, row));
  const starts = lines.filter(({ type }) => type === "start").map(({ hello }) => hello as Hello);
  return starts.filter((hello) => hello?.sid === sid).at(-1);
}

/**
 * The last session of a log of `monitor` that has a prediction on sample `seq`. Throws a UserError where there is
 * none, a StreamError for a line that can't be read.
 */
export async function loggedSession(file: string, seq: number): Promise<LoggedSession> {
  const sessions = await readSessions(file);
  const predicted = sessions.filter(({ decisions }) => decisions.size > 0);
  const latest = predicted.at(-1);
  if (!latest)
    throw new UserError(
      `${file} has no predictions: --seq takes a log of \`motelearn monitor\`; --at takes any file of samples and labels`,
    );
  const session = predicted.filter(({ decisions, samples }) => decisions.has(seq) && samples.has(seq)).at(-1);
  const numbers = [...latest.decisions.keys()];
  if (!session)
    throw new UserError(
      `--seq ${seq}: ${file} has no prediction on that sample; its last session has them on ${Math.min(...numbers)} to ${Math.max(...numbers)}`,
    );
  const ofModel = session.ofFleet.has(seq);
  if (ofModel && session.lacks)
    throw new UserError(
      `--seq ${seq}: the fleet's model made that prediction, and ${file} ${session.lacks}; ask the node's gateway: GET /api/nodes/NAME/explanation?sid=${session.sid}&seq=${seq}`,
    );
  const { size } = session.samples;
  // Each lacking sample takes memory: a late log, or a hostile one, would take as much as it likes.
  if (seq > 2 * size)
    throw new UserError(
      `--seq ${seq}: ${file} has ${size} samples of that session; a replay needs nearly all, from the first on`,
    );
  const channels = session.samples.get(seq)?.length ?? 0;
  const odd = [...session.samples].find(([, x]) => x.length !== channels);
  if (odd) {
    const what = `sample ${odd[0]} has ${odd[1].length} readings, sample ${seq} ${channels}`;
    throw new StreamError(file, undefined, what, "equally many are needed");
  }
  const { sid } = session;
  const hello = await readHello(file, sid);
  return { sid, channels, hello, ofModel, samples: session.until(seq, channels), labels: session.inOrder() };
}
