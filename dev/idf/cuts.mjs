// Power cuts at random instants of a node's start, of its work, and within an erase of the flash: after each the node has a state that it had, with all
// that was durable. Instants are drawn in the node's own samples, so they fall into its work on a busy machine, too.
import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { check } from "../device/checks.mjs";
import { generator } from "../device/generator.mjs";
import {
  drawRows,
  flashIn,
  NODE,
  notesSamples,
  partition,
  readPlan,
  restart,
  samplePeriod,
  startFresh,
  writeRows,
} from "./node.mjs";
import { seed } from "./order.mjs";
import { stateHashes, teachOnce, until } from "./taught.mjs";

const SAMPLES = 200;
const SECTOR = 4096;
/** Every so many cuts come within an erase, and every so many before the node's first word. */
const [ERASE_EVERY, START_EVERY] = [3, 10];
/** A cut comes within so many samples after the node's first word, in which some saves are due, one each second. */
const CUT_SAMPLES = 40;
/** An erase comes within so many. */
const ERASE_SAMPLES = 150;
/** Labels that the node learns after the last cut. */
const LAST_LABELS = 50;
const [RESTORED, FALLBACK] = [1, 2];

/** Samples since the node's first word; 0 before it. */
const countSamples = ({ hello, seq }) => (hello ? seq - hello.seq : 0);

const random = generator(seed);

/** The two slots of checkpoints in a flash file, as far as saves write them. */
class Slots {
  constructor(file, bytes) {
    this.file = openSync(file, "r+");
    const { offset, bytes: all } = partition("checkpoints");
    this.places = [offset, offset + all / 2];
    this.bytes = this.places.map(() => Buffer.alloc(bytes));
    this.transfer(readSync);
  }

  /** Reads or writes both. */
  transfer(act) {
    for (const [i, bytes] of this.bytes.entries()) act(this.file, bytes, 0, bytes.length, this.places[i]);
  }

  /** Looks again; the sector that was erased since the last look, in the slots as they were before, or undefined. */
  erased() {
    const before = this.bytes.map((bytes) => Buffer.from(bytes));
    this.transfer(readSync);
    for (const [i, now] of this.bytes.entries())
      for (let at = 0; at < now.length; at += SECTOR) {
        const was = before[i].subarray(at, at + SECTOR);
        const isBlank = now.subarray(at, at + SECTOR).every((byte) => byte === 0xff);
        if (isBlank && !was.every((byte) => byte === 0xff)) {
          this.bytes = before;
          return was;
        }
      }
    return undefined;
  }

  close() {
    closeSync(this.file);
  }
}

/** What an erase leaves that is cut off: some share of the zeros are ones already. */
function eraseInPart(sector) {
  const share = random();
  for (let i = 0; i < sector.length; i++)
    for (let bit = 1; bit < 256; bit *= 2) if (random() < share) sector[i] |= bit;
}

/** Cuts the power within the next erase; true if there was one. */
async function cutWithinErase(board, life, slotBytes) {
  const slots = new Slots(flashIn(NODE), slotBytes);
  let sector;
  await until(() => {
    sector = slots.erased();
    return sector || countSamples(life) > ERASE_SAMPLES;
  });
  life.end(); // what the node says from here on wasn't said
  await board.cut();
  if (sector) {
    eraseInPart(sector);
    slots.transfer(writeSync);
  }
  slots.close();
  return sector !== undefined;
}

/** Cuts the power at a random instant of the first samples after the node's first word. */
async function cutAtWork(board, life, learner) {
  const samples = Math.floor(CUT_SAMPLES * random());
  await until(() => life.hello && countSamples(life) >= samples);
  await wait(samplePeriod(learner) * random());
  life.end();
  await board.cut();
}

/** Cuts it within the time that the node's starts took, which is mostly before its first word. */
async function cutAtStart(board, life, startMs) {
  await wait(startMs * random());
  life.end();
  await board.cut();
}

/** What is known of the node over all its starts. */
class Record {
  durable = 0;
  /** The longest time to a first word, milliseconds. */
  startMs = 0;
  counts = { cuts: 0, erases: 0, starts: 0, restored: 0, fallback: 0, fresh: 0, compared: 0 };

  constructor(hashes) {
    this.hashes = hashes;
  }

  /** Checks one start of the node against the others. */
  take({ hello, state, durable, missed }) {
    const { counts } = this;
    check(`after cut ${counts.cuts}: no label was lost`, missed.length === 0, missed);
    if (!hello) counts.starts++;
    else counts[{ [RESTORED]: "restored", [FALLBACK]: "fallback" }[hello.restore] ?? "fresh"]++;
    const name = `after cut ${counts.cuts}`;
    if (hello)
      check(`${name}: what was durable is there`, hello.labelled >= this.durable, [hello, this.durable]);
    if (state && this.hashes) {
      const due = this.hashes(state.labelled);
      counts.compared++;
      check(`${name}: this machine's state`, state.hash === due, [state, due]);
    }
    this.durable = Math.max(this.durable, durable);
    this.startMs = Math.max(this.startMs, hello?.afterMs ?? 0);
  }
}

/** Lets the node learn so many labels more. */
async function learnOn(life) {
  const learnsOn = await until(() => life.hello && life.labelled >= life.hello.labelled + LAST_LABELS);
  check("after the last cut it learns on", learnsOn, life);
}

/** Returns the learner, and how many cuts there were, how many of them within an erase, and what the starts restored. */
export async function tryCuts(learner, cuts) {
  const rows = drawRows(SAMPLES);
  let board = await startFresh(learner, NODE, writeRows(NODE, rows));
  const { slot } = readPlan(learner).target.flash;
  const record = new Record(notesSamples(learner) ? undefined : await stateHashes(NODE, rows));
  for (; record.counts.cuts < cuts; record.counts.cuts++) {
    const life = await teachOnce(rows);
    const { counts, startMs } = record;
    if (counts.cuts % ERASE_EVERY === 0) counts.erases += await cutWithinErase(board, life, slot);
    else if (counts.cuts % START_EVERY === 1) await cutAtStart(board, life, startMs);
    else await cutAtWork(board, life, learner);
    record.take(life);
    board = await restart(NODE);
  }
  const life = await teachOnce(rows);
  await learnOn(life);
  life.end();
  record.take(life);
  await board.cut();
  const { counts } = record;
  check("a third of the cuts are within an erase", counts.erases >= cuts / ERASE_EVERY - 1, counts);
  check("a tenth of them at most are before its first word", counts.starts <= cuts / START_EVERY + 1, counts);
  return { learner, ...counts };
}
