import { readFile } from "node:fs/promises";
import { UserError } from "../../host/errors.ts";
import { parseObject } from "../../host/streams/ndjson.ts";
import { StreamError } from "../../host/streams/stream-error.ts";
import { TextSource } from "../../host/streams/text.ts";
import { SOURCE_UNTOLD } from "../../src/node/ports.ts";
import type { AnsweredLabel, Session, TakenSample } from "../explanation/node-replay.ts";
import type { Hello } from "../session/hello.ts";

/** A node's session in a log of `monitor`, from its first sample to the one that was asked for. */
export interface LoggedSession extends Session {
  readonly sid: number;
  readonly channels: number;
  /** The node's hello in FILE.stays; undefined: the file isn't there, or lacks that start. */
  readonly hello: Hello | undefined;
}

/** A session's lines. */
class SessionLines {
  readonly samples = new Map<number, Float32Array>();
  /** The decisions of the node's own learner; null: unreadable, or of the fleet's model. */
  readonly decisions = new Map<number, number | null>();
  /** The samples on which the fleet's model decided. */
  readonly ofFleet = new Set<number>();
  readonly labels: AnsweredLabel[] = [];
  last = 0;

  constructor(readonly sid: number) {}

  take(line: Record<string, unknown>): void {
    const seq = Number(line.seq);
    if (Array.isArray(line.x)) {
      this.samples.set(seq, Float32Array.from(line.x as number[]));
      this.last = seq;
    } else if (line.type === "prediction") {
      if (line.fleet === true) this.ofFleet.add(seq);
      this.decisions.set(seq, line.fleet === true ? null : (line.decision as number | null));
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

  /** All samples until that one. One that the log lacks is 0 in all readings: where it matters, later decisions differ. */
  until(seq: number, channels: number): TakenSample[] {
    return Array.from({ length: seq }, (_, i) => {
      const x = this.samples.get(i + 1);
      return x
        ? { seq: i + 1, x, decision: this.decisions.get(i + 1) }
        : { seq: i + 1, x: new Float32Array(channels) };
    });
  }

  /** The labels from the first on, without a gap. */
  inOrder(): AnsweredLabel[] {
    const gap = this.labels.findIndex(({ number }, i) => number !== i + 1);
    return gap < 0 ? this.labels : this.labels.slice(0, gap);
  }
}

/** The sessions of a log, in their order. */
async function sessionsOf(file: string): Promise<SessionLines[]> {
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
async function helloOf(file: string, sid: number): Promise<Hello | undefined> {
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
  const sessions = await sessionsOf(file);
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
  if (session.ofFleet.has(seq))
    throw new UserError(
      `--seq ${seq}: the fleet's model made that prediction, and ${file} holds no models; ask the node's gateway: GET /api/nodes/NAME/explanation?sid=${session.sid}&seq=${seq}`,
    );
  const { size } = session.samples;
  // Each lacking sample takes memory: a late log, or a hostile one, would take as much as it likes.
  if (seq > 2 * size)
    throw new UserError(
      `--seq ${seq}: ${file} has ${size} samples of that session; a replay needs nearly all, from the first on`,
    );
  const channels = session.samples.get(seq)?.length ?? 0;
  const odd = [...session.samples].find(([, x]) => x.length !== channels);
  if (odd)
    throw new StreamError(
      file,
      undefined,
      `sample ${odd[0]} has ${odd[1].length} readings, sample ${seq} ${channels}`,
      "equally many are needed",
    );
  const { sid } = session;
  const hello = await helloOf(file, sid);
  return { sid, channels, hello, samples: session.until(seq, channels), labels: session.inOrder() };
}
