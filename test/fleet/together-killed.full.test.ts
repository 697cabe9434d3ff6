/**
 * Gateway and broker killed, power cut, packets lost, while models and first states are under way to nodes that learn together, at the real gateway in a
 * process of its own.
 */
import * as assert from "uvu/assert";
import { FleetStore } from "../../fleet/store/fleet-store.ts";
import { MODELS } from "../../fleet/store/label-rows.ts";
import type { Row } from "../../fleet/store/tables.ts";
import { Random } from "../../host/random.ts";
import type { BytePort } from "../../src/node/ports.ts";
import { IMAGE_STATUS } from "../../src/store/paged-image.ts";
import { become } from "../tools/awaited.ts";
import { test } from "../tools/contained.ts";
import { inFolder } from "../tools/stations.ts";
import { kill, type StartedGateway, startGateway } from "./fleets.ts";
import { statesBecome, together } from "./together-fleet.ts";
import { give, hasLearned, NODE, Watched } from "./watched.ts";

const VECTORS = 24;
const ALIKE = { ...NODE, fleetBudget: VECTORS };
const PERIOD_MS = 100;
const LABELS = 10;
const FELLOWS = ["n1", "n2", "n3"];
/** Labels of each fellow when newcomers begin to join; these, one after the other until enough has died while they began. */
const AHEAD = 2;
const NEWCOMERS = Array.from({ length: 8 }, (_, i) => `new${i + 1}`);
const NEWCOMERS_MIN = 1;
/** Labels of a node that are ahead of the node with fewest: a death loses the answers to few. */
const IN_FLIGHT = 4;
/** Deaths of the gateway, and of nodes, while that is under way. A node takes a first state seldom, as it spares its flash. */
const KILLS = { "first state": 1, model: 2 };
const CUTS = { "first state": 2, model: 5 };
/** Share of transfers over a node's line that are lost. */
const LOST = 0.02;
/** Share of the moments with that half there at which something dies, while it may: a first state may be under way as long as a node has learned nothing. */
const DEADLY = { "first state": 0.05, model: 0.4 };
const HALVES = ["first state", "model"] as const;

/** What is half there. */
type Half = "first state" | "model";

/** What dies, and at which moments. */
class Storm {
  /** Set while the gateway runs. */
  gateway: StartedGateway | undefined;
  /** The share of the run that has passed, by which the deaths with models half there are spread. */
  share = 0;
  isQuiet = false;
  readonly kills: Record<Half, number> = { "first state": 0, model: 0 };
  readonly cuts: Record<Half, number> = { "first state": 0, model: 0 };
  readonly random = new Random(7, "storm");

  isLost(): boolean {
    return !this.isQuiet && this.random.uniform() < LOST;
  }

  /** Something is half there at a node: returns true if the node's power fails now. Perhaps the gateway dies. */
  strikes(half: Half): boolean {
    const { cuts, kills, random } = this;
    const share = half === "model" ? this.share : 1;
    if (random.uniform() >= DEADLY[half]) return false;
    if (this.gateway && kills[half] < KILLS[half] * share && random.uniform() < 0.5) {
      kills[half]++;
      this.gateway.child.kill("SIGKILL");
      this.gateway = undefined;
    } else if (cuts[half] < CUTS[half] * share) {
      cuts[half]++;
      return true;
    }
    return false;
  }

  /** True if enough has died while that was under way. */
  isOver(half: Half): boolean {
    return this.kills[half] >= KILLS[half] && this.cuts[half] >= CUTS[half];
  }

  get said(): string {
    return JSON.stringify({ kills: this.kills, cuts: this.cuts });
  }
}

/** A node's line in the storm. */
class StormyLine implements BytePort {
  readonly fifoBytes: number | undefined;
  readonly creditMs: number | undefined;
  private isDead = false;

  constructor(
    private readonly port: BytePort,
    private readonly storm: Storm,
    private readonly half: () => Half | undefined,
    private readonly dies: () => void,
  ) {
    this.fifoBytes = port.fifoBytes;
    this.creditMs = port.creditMs;
  }

  read(to: Uint8Array): number {
    const bytes = this.port.read(to);
    const half = bytes > 0 && !this.isDead ? this.half() : undefined;
    if (half && this.storm.strikes(half)) {
      this.isDead = true;
      this.dies();
    }
    return this.isDead || (bytes > 0 && this.storm.isLost()) ? 0 : bytes;
  }

  write(bytes: Uint8Array, from: number, to: number): number {
    return this.isDead || this.storm.isLost() ? to - from : this.port.write(bytes, from, to);
  }
}

/** A node in the storm. */
function stormy(name: string, address: string, storm: Storm): Watched {
  let watched: Watched | undefined;
  const half = () => {
    const { labelled, fleet } = watched?.node.node ?? {};
    if (fleet?.stage.status === IMAGE_STATUS.coming) return "model";
    return labelled === 0 && NEWCOMERS.includes(name) ? "first state" : undefined;
  };
  const cut = async () => {
    await watched?.node.cutPower();
    watched?.node.start();
  };
  const line = (port: BytePort) => new StormyLine(port, storm, half, () => setImmediate(() => void cut()));
  watched = new Watched(name, address, PERIOD_MS, ALIKE, line);
  return watched;
}

/** Has the node get a model anew; the gateway may be dead, or have none for it yet. */
async function retrain(url: string, name: string): Promise<void> {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ do: "retrain" });
  await fetch(`${url}/api/nodes/${name}/commands`, { method: "POST", headers, body }).catch(() => {});
}

/** Checks what became of a node: each number is there once, and its state is the replay of what it began with, its labels and its models. */
function checkNode(store: FleetStore, each: Watched): { models: number; isBegun: boolean } {
  const { name } = each;
  const rows: Row[] = [...store.rows("label", name)].sort((a, b) => Number(a.number) - Number(b.number));
  const numbers = rows.map(({ number }) => number);
  assert.equal(
    numbers,
    rows.map((_, k) => k + 1),
    name,
  );
  const [copy] = store.copies(name);
  const first = copy && store.readCopy(name, copy.id)?.words;
  hasLearned(each, rows, { readModel: (node, seq) => store.lessons.readModel(node, seq).bytes, first });
  const lessons = store.read("SELECT sid, seq FROM lesson WHERE node = ?", [name]);
  const told = new Set(lessons.map(({ sid, seq }) => `${sid} ${seq}`));
  assert.is(told.size, lessons.length, `${name}: no lesson twice`);
  for (const { sid, seq, status } of rows)
    if (sid !== MODELS && status === 0) assert.ok(told.has(`${sid} ${seq}`), `${name}: lesson ${sid} ${seq}`);
  return { models: rows.filter(({ sid }) => sid === MODELS).length, isBegun: first !== undefined };
}

test("no model and no first state is half there, none twice; each node's state is its replay, and each lesson is there once", async () => {
  const names = [...FELLOWS, ...NEWCOMERS];
  const { file, gateway, at } = await together("killed", names, { vectors: VECTORS, start: "group" });
  const storm = new Storm();
  storm.gateway = gateway;
  let { url } = gateway;
  const watched = FELLOWS.map((name) => stormy(name, at(name), storm));
  const said = () => `${storm.said} ${watched.map(({ taken }) => taken.size)}`;
  const stormed = async () => {
    if (!storm.gateway) {
      storm.gateway = await startGateway(file);
      ({ url } = storm.gateway);
    }
    const least = Math.min(
      ...watched.map(({ taken, node }) => Math.min(taken.size, node.node?.labelled ?? 0)),
    );
    await Promise.all(watched.map((each) => give(url, Math.min(LABELS, least + IN_FLIGHT), each)));
    if (least >= AHEAD) await retrain(url, watched[storm.random.below(watched.length)].name);
    storm.share = Math.min(1, least / LABELS);
    const joined = watched.length - FELLOWS.length;
    if (least >= AHEAD && joined < (storm.isOver("first state") ? NEWCOMERS_MIN : NEWCOMERS.length))
      watched.push(stormy(NEWCOMERS[joined], at(NEWCOMERS[joined]), storm));
    return (
      HALVES.every((half) => storm.isOver(half)) &&
      joined >= NEWCOMERS_MIN &&
      least >= LABELS &&
      storm.gateway !== undefined
    );
  };
  await become(`${LABELS} labels of each node`, stormed, said, 100);
  storm.isQuiet = true;
  await statesBecome(url, "all labels and models taken", (states) =>
    states
      .slice(0, watched.length)
      .every(({ waiting, together }) => waiting < 4 && together?.candidate !== undefined),
  );
  await kill((storm.gateway as StartedGateway).child);
  const store = new FleetStore(inFolder("killed.db"));
  const ends = watched.map((each) => checkNode(store, each));
  store.close();
  const models = ends.map((each) => each.models);
  assert.ok(Math.min(...models) > 0 && models.reduce((sum, each) => sum + each) >= 10, `models: ${models}`);
  assert.ok(
    ends.slice(FELLOWS.length).some(({ isBegun }) => isBegun),
    "a newcomer began with its group's labels",
  );
  await Promise.all(watched.map(({ node }) => node.cutPower()));
});

test.run();
