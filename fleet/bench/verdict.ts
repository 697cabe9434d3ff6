import { LABEL_STATUS } from "../../src/node/ports.ts";
import { FleetStore } from "../store/fleet-store.ts";
import { UNANSWERED } from "../store/label-rows.ts";
import type { Row } from "../store/tables.ts";
import type { Dealt, PartProcess } from "./parts.ts";

/** The fates of the labels that the gateway confirmed, and the nodes' states. */
export interface Verdict {
  /** Samples with a prediction at the gateway. */
  readonly stored: number;
  /** Labels that the gateway confirmed. */
  readonly taken: number;
  readonly applied: number;
  /**
   * Labels whose sample the node no longer had, after a power cut or too long a delay. The node reports that,
   * and learns nothing.
   */
  readonly tooLate: number;
  /** Labels that their node processed, as its later numbers show, without an answer at the gateway. */
  readonly unanswered: number;
  /** Labels that still wait for their node. At the end of a run all nodes are connected, so none should. */
  readonly waiting: number;
  /** Labels missing in the database, and numbers without a label. */
  readonly lost: number;
  /** Labels that share a number. */
  readonly doubled: number;
  /** Nodes whose state differs from a simulated node's that learns the applied labels once each, in order. */
  readonly different: readonly string[];
}

/** The database's status of a label whose answer never came. */
const WITHOUT_ANSWER: readonly unknown[] = [UNANSWERED, null];
const TOO_LATE: readonly unknown[] = [LABEL_STATUS.expired, LABEL_STATUS.session, LABEL_STATUS.unknown];

interface FleetRecord {
  /** The gateway's database; no one else may have it open. */
  readonly file: string;
  readonly names: readonly string[];
  readonly findHolder: (name: string) => PartProcess;
  /** By node: the samples whose labels the gateway took, "session number". */
  readonly taken: ReadonlyMap<string, ReadonlySet<string>>;
  /** Labels that each node has processed. */
  readonly labelled: Readonly<Record<string, number>>;
}

/** Compares the gateway's database with its answers to the labeller, and the nodes with simulated ones. */
export async function judge({ file, names, findHolder, taken, labelled }: FleetRecord): Promise<Verdict> {
  const store = new FleetStore(file);
  const sums = { taken: 0, applied: 0, tooLate: 0, unanswered: 0, waiting: 0, lost: 0, doubled: 0 };
  const different: string[] = [];
  try {
    store.moveArrivals();
    const [{ stored }] = store.read("SELECT count(*) AS stored FROM prediction", []);
    for (const name of names) {
      const rows = [...store.rows("label", name)];
      const own = taken.get(name) ?? new Set();
      const kept = new Set(rows.map(({ sid, seq }) => `${sid} ${seq}`));
      const numbered = rows.flatMap(({ number }) => (number === null ? [] : [Number(number)]));
      const numbers = new Set(numbered);
      const dealt = dealtWith(rows, labelled[name]);
      sums.taken += own.size;
      sums.applied += dealt.filter(({ status }) => status === LABEL_STATUS.applied).length;
      sums.tooLate += dealt.filter(({ status }) => TOO_LATE.includes(status)).length;
      sums.unanswered += dealt.filter(({ status }) => WITHOUT_ANSWER.includes(status)).length;
      sums.waiting += rows.length - dealt.length;
      sums.lost += [...own].filter((sample) => !kept.has(sample)).length;
      sums.lost += Math.max(0, ...numbers) - numbers.size;
      sums.doubled += numbered.length - numbers.size;
      const same = await findHolder(name).ask({ ask: "compare", dealt: countDealt(name, dealt) });
      if (!same) different.push(name);
    }
    return { stored: Number(stored), ...sums, different };
  } finally {
    store.close();
  }
}

/** The labels that their node processed, in the order of their numbers. One without a number never reached it. */
function dealtWith(rows: readonly Row[], labelled: number): Row[] {
  const dealt = rows.filter(({ number }) => number !== null && Number(number) <= labelled);
  return dealt.sort((a, b) => Number(a.number) - Number(b.number));
}

/** A node's labels. Without an answer, it is unknown whether a label was applied. */
function countDealt(name: string, rows: readonly Row[]): Dealt {
  const labels = rows.map(({ number, sid, seq, y, source, confidence, status }) => ({
    ...{ number: Number(number), sid: Number(sid), seq: Number(seq), y: Number(y) },
    ...{ source: Number(source), confidence: Number(confidence) },
    ...(!WITHOUT_ANSWER.includes(status) && { applied: status === LABEL_STATUS.applied }),
  }));
  return { name, labels };
}
