import { closeSync, existsSync, openSync, rmSync } from "node:fs";
import sqlite, { type Database, type SQLiteValue, type Statement } from "node-sqlite3-wasm";
import { DeviceError } from "../../host/errors.ts";
import { writeFault } from "../../host/files/write-fault.ts";
import { FilePlace } from "./file-place.ts";
import { ARRIVED, type Row, TABLES } from "./tables.ts";

/** Each node's rows go to pages of their own, seven in all: of a thousand nodes they stay in memory. */
const CACHE_KB = 32_768;
/** A file of up to so many bytes is checked whole when it is opened: that takes a few seconds at most. */
const CHECKED_BYTES_MAX = 256e6;
/** Pages of 4 KB in the journal before they are copied into the file: a page that changes again meanwhile is copied once. */
const JOURNAL_PAGES = 8000;

/** Makes the file if there is none. Throws an Error with what the system says, and what would be right; SQLite says neither. */
function touch(file: string): void {
  try {
    closeSync(openSync(file, "a+", 0o600));
  } catch (error) {
    throw new Error(writeFault(file, error));
  }
}

/**
 * The SQLite file. Changes wait in a transaction until `commit`, which returns when they are on disk; a killed process loses the changes
 * after the last commit.
 */
export class DatabaseFile {
  private readonly database: Database;
  private open = false;
  /** Why the waiting transaction can't be written; the next commit returns it. */
  private broken: DeviceError | undefined;
  /** Why changes were lost since `takeLoss`. */
  private loss: string | undefined;
  /** Prepared statements: SQLite takes longer to parse one than to run it. */
  private readonly statements = new Map<string, Statement>();
  /** Milliseconds for which the last commit waited for the disk. */
  diskMs = 0;
  private readonly place: FilePlace;

  /** Opens or makes the file. Throws an Error with the reason if it can't be used. */
  constructor(private readonly file: string) {
    // This SQLite locks by a folder, which a killed process leaves behind; the caller ensures that no one
    // else has the file open.
    const lock = `${file}.lock`;
    if (existsSync(lock)) rmSync(lock, { recursive: true });
    touch(file);
    this.database = new sqlite.Database(file);
    this.place = new FilePlace(file);
    // A write-ahead log takes one wait for the disk a commit; with one process it needs no shared memory.
    this.database.exec(
      "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;",
    );
    this.database.exec(`PRAGMA cache_size = -${CACHE_KB}; PRAGMA wal_autocheckpoint = ${JOURNAL_PAGES};`);
    try {
      this.check();
      this.database.exec(TABLES);
    } catch (error) {
      this.closeFile();
      throw error;
    }
  }

  /**
   * Throws an Error that says the first fault of the file, where it is damaged. Of a large one it doesn't check
   * samples and predictions, which would take a minute for some gigabytes.
   */
  private check(): void {
    const isLarge = this.bytes > CHECKED_BYTES_MAX;
    const names = this.database.all("SELECT name FROM sqlite_schema WHERE type = 'table'");
    for (const { name } of names as Row[]) {
      if (isLarge && (ARRIVED as readonly unknown[]).includes(name)) continue;
      const [fault] = Object.values(this.database.get(`PRAGMA quick_check("${name}")`) ?? {});
      if (fault !== "ok") throw new Error(`table ${name}: ${String(fault).replaceAll(/\s+/g, " ")}`);
    }
  }

  /** Used bytes; removed rows leave pages for reuse. */
  get bytes(): number {
    const pragma = (name: string) => Number(this.database.get(`PRAGMA ${name}`)?.[name]);
    return (pragma("page_count") - pragma("freelist_count")) * pragma("page_size");
  }

  /** A query's rows, with changes that wait for `commit`. Throws a DeviceError if the disk doesn't give them. */
  read(sql: string, values: SQLiteValue[]): Row[] {
    try {
      return this.findStatement(sql).all(values) as Row[];
    } catch (error) {
      this.discard(sql); // it would give its error to its next use, too
      throw new DeviceError(`${this.file}: can't be read: ${(error as Error).message}`);
    }
  }

  /** The same, one row after the other. */
  *each(sql: string, values: SQLiteValue[]): Generator<Row> {
    const statement = this.database.prepare(sql);
    try {
      yield* statement.iterate(values) as IterableIterator<Row>;
    } finally {
      statement.finalize();
    }
  }

  /** Makes a change. If the disk refuses it, the whole transaction fails, and `commit` returns that. */
  run(sql: string, values: SQLiteValue[]): void {
    if (this.broken) return;
    this.attempt(() => {
      if (!this.open) this.database.exec("BEGIN IMMEDIATE");
      this.open = true;
      try {
        this.findStatement(sql).run(values);
      } catch (error) {
        this.discard(sql); // it would give its error to its next use, too
        throw error;
      }
    });
  }

  /** Writes waiting changes to disk. Returns why the disk refuses them, if it does: then none is stored. */
  commit(): DeviceError | undefined {
    const began = performance.now();
    if (this.open && !this.broken)
      this.attempt(() => {
        this.place.check();
        this.database.exec("COMMIT");
      });
    this.diskMs = performance.now() - began;
    this.open = false;
    const { broken } = this;
    this.broken = undefined;
    this.keepJournal();
    return broken;
  }

  /**
   * Another program that closes the file may remove its journal, and with it what is in there alone. Then all goes to the file itself,
   * and a new journal begins.
   */
  private keepJournal(): void {
    if (!this.place.hasLostJournal()) return;
    try {
      this.database.exec("PRAGMA wal_checkpoint; PRAGMA journal_mode = DELETE; PRAGMA journal_mode = WAL;");
    } catch (error) {
      this.loss = this.reason(error);
    }
  }

  /** Why data since the last call are lost; undefined: none are. */
  takeLoss(): string | undefined {
    const { loss } = this;
    this.loss = undefined;
    return loss;
  }

  /** Changes since the last commit are lost. */
  close(): void {
    for (const sql of [...this.statements.keys()]) this.discard(sql);
    this.closeFile();
  }

  private closeFile(): void {
    this.database.close();
    this.place.release();
  }

  private discard(sql: string): void {
    try {
      this.statements.get(sql)?.finalize();
    } catch {} // it says its last error once more
    this.statements.delete(sql);
  }

  private attempt(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.loss = this.reason(error);
      this.broken = new DeviceError(this.loss);
      try {
        this.database.exec("ROLLBACK");
      } catch {} // SQLite did it by itself
    }
  }

  private reason(error: unknown): string {
    const why = this.place.isFull() ? writeFault(this.file, { code: "ENOSPC" }) : (error as Error).message;
    return `${this.file}: can't be written: ${why}`;
  }

  private findStatement(sql: string): Statement {
    let statement = this.statements.get(sql);
    if (!statement) {
      statement = this.database.prepare(sql);
      this.statements.set(sql, statement);
    }
    return statement;
  }
}
