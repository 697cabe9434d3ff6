import type { SQLiteValue } from "node-sqlite3-wasm";

/** A row of the database, by its columns' names. */
export type Row = Record<string, SQLiteValue>;

/** Readings as a row has them. */
export function readFloats(x: unknown): Float32Array {
  return new Float32Array((x as Uint8Array).slice().buffer);
}

/** Makes the tables and indexes that a database lacks. */
export const TABLES = `
  CREATE TABLE IF NOT EXISTS node (name TEXT PRIMARY KEY, durable INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS sample (
    node TEXT, sid INTEGER, seq INTEGER, time INTEGER, x BLOB, ran INTEGER, PRIMARY KEY (node, sid, seq)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS prediction (
    node TEXT, sid INTEGER, seq INTEGER, time INTEGER, decision REAL, remarks INTEGER, ran INTEGER,
    PRIMARY KEY (node, sid, seq)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS arrived (id INTEGER PRIMARY KEY, rows BLOB);
  CREATE TABLE IF NOT EXISTS label (
    id INTEGER PRIMARY KEY, node TEXT NOT NULL, number INTEGER, sid INTEGER, seq INTEGER, y REAL, source INTEGER,
    confidence INTEGER, by TEXT, time INTEGER, status INTEGER, durable INTEGER NOT NULL DEFAULT 0, ran INTEGER);
  CREATE TABLE IF NOT EXISTS label_tag (
    node TEXT, sid INTEGER, seq INTEGER, low INTEGER, high INTEGER, PRIMARY KEY (node, sid, seq)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS label_after (
    node TEXT, sid INTEGER, seq INTEGER, at INTEGER, after INTEGER, PRIMARY KEY (node, sid, seq)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS model (
    node TEXT, sid INTEGER, seq INTEGER, candidate TEXT, crc INTEGER, bytes BLOB, PRIMARY KEY (node, sid, seq)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS lesson (
    id INTEGER PRIMARY KEY, node TEXT NOT NULL, sid INTEGER NOT NULL, seq INTEGER NOT NULL, x BLOB NOT NULL, y REAL NOT NULL);
  CREATE TABLE IF NOT EXISTS place (node TEXT, source TEXT, place TEXT, PRIMARY KEY (node, source)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS machine (node TEXT PRIMARY KEY, state TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS event (
    id INTEGER PRIMARY KEY, node TEXT, time INTEGER, kind TEXT, text TEXT, ran INTEGER);
  CREATE TABLE IF NOT EXISTS copy (
    id INTEGER PRIMARY KEY, node TEXT, sid INTEGER, seq INTEGER, labelled INTEGER, learner TEXT, firmware TEXT, hash TEXT,
    whole INTEGER, first INTEGER, words BLOB, checkpoint TEXT, time INTEGER, ran INTEGER);
  CREATE TABLE IF NOT EXISTS audit (
    id INTEGER PRIMARY KEY, time INTEGER, who TEXT, whence TEXT, what TEXT, node TEXT, text TEXT, ran INTEGER);
  CREATE INDEX IF NOT EXISTS label_waiting ON label (node, number) WHERE durable = 0;
  CREATE INDEX IF NOT EXISTS label_settled ON label (node, number) WHERE durable = 1;
  CREATE UNIQUE INDEX IF NOT EXISTS label_sample ON label (node, sid, seq);
  CREATE UNIQUE INDEX IF NOT EXISTS lesson_sample ON lesson (node, sid, seq);
  CREATE INDEX IF NOT EXISTS lesson_node ON lesson (node, id);
  CREATE INDEX IF NOT EXISTS event_node ON event (node, id);
  CREATE INDEX IF NOT EXISTS event_alarm ON event (id) WHERE kind IN ('alarm', 'alarm-off');
  CREATE INDEX IF NOT EXISTS copy_node ON copy (node, id);
  CREATE INDEX IF NOT EXISTS sample_node_ran ON sample (node, ran);
  CREATE INDEX IF NOT EXISTS sample_node_time ON sample (node, time);
  CREATE INDEX IF NOT EXISTS prediction_node_ran ON prediction (node, ran);
`;

/**
 * The tables whose old rows are removed. Each row has its time by the machine's clock, and `ran`. Those of what
 * a node sends arrive fast, and are moved to their tables late.
 */
export const ARRIVED = ["sample", "prediction"] as const;
export const LOGGED = ["label", "event", "audit", "copy"] as const;

/** What is kept beside labels, a row each. */
export const BESIDE = ["label_tag", "label_after", "model"] as const;
