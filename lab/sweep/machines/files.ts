import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { UserError } from "../../../host/errors.ts";
import { sha256 } from "../../../host/identity.ts";
import { descriptionPath } from "../../../host/streams/description.ts";
import type { Scenario } from "../../../host-sim/scenario/scenario.ts";
import { FILES_BYTES_MAX, type SentFile } from "./messages.ts";
import { chunkSubject, type RunQueue } from "./queue.ts";

/** Bytes of a message: half of what a server takes unless it is configured. */
const CHUNK = 1 << 19;
/** Bytes of files that a worker keeps on its disk. */
const DISK_MAX = 16 * FILES_BYTES_MAX;
const MEGABYTE = 1 << 20;

const streamPaths = ({ stream }: Scenario) =>
  stream.type === "files" ? stream.files.map(({ path }) => path) : [];

function checkStates({ node, tasks }: Scenario): void {
  if ([node, ...tasks.map((task) => task.node)].some((each) => each?.state !== undefined))
    throw new UserError(
      "--workers: node.state isn't sent to workers; copy the files to each machine, and run --shard and sweep merge",
    );
}

/** Files of runs on their way to workers. */
export class FilesSent {
  private readonly files: ReadonlyMap<string, SentFile>;

  /** Throws a UserError where they are too large. */
  constructor(
    scenarios: Iterable<Scenario>,
    private readonly source: string,
    private readonly hashes: Readonly<Record<string, string>>,
  ) {
    const paths = new Set<string>();
    for (const scenario of scenarios) {
      for (const path of streamPaths(scenario)) paths.add(path);
      checkStates(scenario);
    }
    const described = [...paths].find((path) => existsSync(descriptionPath(this.resolvePath(path))));
    if (described !== undefined)
      throw new UserError(
        `--workers: ${descriptionPath(described)} isn't sent to workers; copy the files to each machine, and run --shard and sweep merge`,
      );
    const files = [...paths].map((path) => {
      return { path, sha256: this.hashes[path], bytes: statSync(this.resolvePath(path)).size };
    });
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    if (bytes > FILES_BYTES_MAX)
      throw new UserError(
        `--workers: the runs read files of ${Math.ceil(bytes / MEGABYTE)} MB, and up to ${FILES_BYTES_MAX / MEGABYTE} MB go to workers; copy the files to each machine, and run --shard and sweep merge`,
      );
    this.files = new Map(files.map((file) => [file.path, file]));
  }

  of(scenario: Scenario): SentFile[] {
    return streamPaths(scenario).map((path) => this.files.get(path) as SentFile);
  }

  /** Publishes all of them. Throws a UserError where one has changed. */
  async send(queue: RunQueue): Promise<void> {
    for (const { path, sha256: hash } of this.files.values()) {
      const data = readFileSync(this.resolvePath(path));
      if (sha256(data) !== hash) throw new UserError(`${path}: changed while the sweep ran; run it again`);
      for (let at = 0; at < data.length; at += CHUNK)
        await queue.publish(chunkSubject(hash, at / CHUNK), data.subarray(at, at + CHUNK));
    }
  }

  private resolvePath(path: string): string {
    return resolve(dirname(this.source), path);
  }
}

/** Files of runs as a worker has received them, in a folder of its own. */
export class FilesReceived {
  private folder: string | undefined;
  private readonly received = new Map<string, Promise<string>>();
  /** Their names in scenarios, by their places here. */
  private readonly names = new Map<string, string>();
  private bytes = 0;

  constructor(private readonly queue: RunQueue) {}

  /** The scenario with this machine's files in place of those it names: it reads no other. Throws a UserError. */
  async localize(scenario: Scenario, files: readonly SentFile[]): Promise<Scenario> {
    const { stream } = scenario;
    if (stream.type !== "files") return scenario;
    if (stream.files.length !== files.length) throw new UserError("stream.files: a file wasn't sent with it");
    const local = await Promise.all(
      stream.files.map(async ({ node, path }, i) => ({
        node,
        path: await this.storedPath(files[i], path),
      })),
    );
    return { ...scenario, stream: { ...stream, files: local } };
  }

  /** A file's error, under the scenario's name for it. */
  withNames(message: string): string {
    return [...this.names].reduce((text, [place, name]) => text.replaceAll(place, name), message);
  }

  close(): void {
    if (this.folder !== undefined) rmSync(this.folder, { recursive: true, force: true });
  }

  /** The file's path; its extension gives the format. */
  private storedPath(file: SentFile, path: string): Promise<string> {
    const [ending] = /(\.[a-z]{1,8}){0,2}$/i.exec(path) as RegExpExecArray;
    const key = `${file.sha256}${ending}`;
    const before = this.received.get(key);
    if (before) return before;
    this.folder ??= mkdtempSync(join(tmpdir(), "motelearn-worker-"));
    const place = this.receive(file, join(this.folder, key));
    this.received.set(key, place);
    place.catch(() => {
      this.received.delete(key);
      this.bytes -= file.bytes;
    });
    return place;
  }

  private async receive({ path, sha256: hash, bytes }: SentFile, place: string): Promise<string> {
    this.bytes += bytes;
    if (this.bytes > DISK_MAX)
      throw new UserError(`${path}: the worker's files have over ${DISK_MAX / MEGABYTE} MB; start it again`);
    const chunks: Uint8Array[] = [];
    for (let at = 0; at < bytes; at += CHUNK) {
      const chunk = await this.queue.last(chunkSubject(hash, at / CHUNK));
      if (chunk) chunks.push(chunk.data);
    }
    const data = Buffer.concat(chunks);
    if (sha256(data) !== hash)
      throw new UserError(`${path}: isn't at the servers any more; start the sweep again`);
    writeFileSync(place, data);
    this.names.set(place, path);
    return place;
  }
}
