// A node at a broker with TLS, over the emulated board's Ethernet: which certificates it takes, what it learns there, and what memory that takes.
import { statSync } from "node:fs";
import { connect } from "node:net";
import { basename, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { root } from "../../targets/emulator/engine.mjs";
import { check } from "../device/checks.mjs";
import {
  drawRows,
  MEASURED,
  NODE,
  notesSamples,
  readPlan,
  restart,
  startFresh,
  teachAt,
  watched,
  writeRows,
} from "./node.mjs";
import { CHIPS, port, target } from "./order.mjs";
import { Plant, startTimeServer } from "./plant.mjs";

const SAMPLES = 200;
/** Only a node that hangs takes so long until it tries again, even on a busy machine. */
const HANGS_MS = 900_000;
/** A node asks for the time every few seconds; after so many questions without an answer it must not have connected. */
const QUESTIONS = 4;
const LOOK_MS = 100;
/** The firmware's image, where the SDK has built it. */
const imagePath = (folder) =>
  join(
    process.env.MODDABLE,
    "build/bin",
    CHIPS[target].platform,
    "release",
    basename(folder),
    "xs_esp32.bin",
  );

/** Resolves with what `find` returns, once it isn't undefined; or with undefined, after so long. */
async function awaited(find) {
  for (const end = performance.now() + HANGS_MS; performance.now() < end; await wait(LOOK_MS)) {
    const found = find();
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The lines of text at the board's UART. */
class Heard {
  text = "";

  constructor() {
    this.socket = connect(port, "127.0.0.1");
    this.socket.on("error", () => {}); // a power cut
    this.socket.on("data", (bytes) => {
      this.text += bytes;
    });
  }

  /** The last whole line like that, or undefined. */
  last(pattern) {
    return this.text
      .split("\r\n")
      .slice(0, -1)
      .findLast((line) => pattern.test(line));
  }

  close() {
    this.socket.destroy();
  }
}

const REFUSED = [
  ["host", "is for another host"],
  ["old", "isn't valid at this time"],
  ["stranger", "isn't signed by the given authority"],
  ["forged", "isn't signed by the given authority"],
];

/** Each wrong certificate in the broker's place: the node says why it refuses it, and doesn't log in. */
async function checkRefused(plant, heard) {
  for (const [name, why] of REFUSED) {
    heard.text = "";
    const broker = await plant.start(name);
    const said = await awaited(() => heard.last(/certificate/));
    check(`tls: refused: ${name}`, said === `TLS: the broker's certificate ${why}`, [said, broker.log]);
    check(`tls: ${name}: the node doesn't log in`, broker.connections === 0, broker.log);
    await broker.close();
  }
}

const isConnected = (broker) => awaited(() => (broker.connections > 0 ? true : undefined));

/** Has the node learn the labels, or find that it has. */
async function teachThere(plant, from) {
  const { code, errors, starts, summary } = await teachAt(plant.wire(true), from);
  const learned = code === 0 && summary.labels?.durable === SAMPLES;
  check("tls: its labels are learned", learned, [errors, summary.labels]);
  return { hello: starts[0], ...summary };
}

/** True if the states of two summaries are the same, or, where the samples that come after the labels change it, their labels. */
function isSame(learner, one, other) {
  const what = notesSamples(learner) ? "labelled" : "stateHash";
  return one.state?.[what] !== undefined && one.state[what] === other.state?.[what];
}

/** Learns at a broker that the node trusts, refuses others, and resumes after a power cut. Returns XS's memory, and the authority's certificate: bytes. */
async function checkTaught(learner, plant, from) {
  const clock = await startTimeServer();
  let broker = await plant.start("good");
  let board = await startFresh(learner, NODE, from, "--wifi", plant.network(true));
  check("tls: it connects", broker.connections > 0, broker.log);
  const taught = await teachThere(plant, from);
  check("tls: to this machine's state", taught.compared?.same === true, taught.compared);
  await broker.close();
  const heard = new Heard();
  await checkRefused(plant, heard);
  heard.close();
  broker = await plant.start("good");
  check("tls: it connects again", await isConnected(broker), broker.log);
  const after = await teachThere(plant, from);
  check("tls: in the same state", isSame(learner, after, taught), [after.state, taught.state]);
  const { chunks, slots } = await watched(learner, plant.wire(true));
  await board.cut();
  const { connections } = broker;
  Object.assign(clock, { silent: true, asked: 0 });
  board = await restart(NODE, "--ethernet");
  const asks = await awaited(() => (clock.asked >= QUESTIONS ? true : undefined));
  check("tls: it asks for the time", asks, clock.asked);
  check("tls: without the time it doesn't connect", broker.connections === connections, broker.log);
  clock.silent = false;
  const back = await awaited(() => (broker.connections > connections ? true : undefined));
  check("tls: with it, it does", back, broker.log);
  const again = await teachThere(plant, from);
  check("tls: it resumes after a power cut", again.hello?.restore === "restored", again.hello);
  check("tls: with the same state", isSame(learner, again, taught), [again.state, taught.state]);
  await board.cut();
  await broker.close();
  await clock.close();
  return { measured: chunks + slots, certificate: statSync(plant.der).size };
}

/** Bytes of the chip's heap and of the task's stack that are left, and of the image, of a node at its broker that has learned. */
async function measure(learner, plant, from, isEncrypted) {
  const broker = await plant.start("good");
  const include = join(root, "dev/idf/measured/measured.json");
  const network = plant.network(isEncrypted);
  const board = await startFresh(learner, MEASURED, from, "--wifi", network, "--include", include);
  const heard = new Heard();
  const taught = await teachAt(plant.wire(isEncrypted), from);
  check("tls: measured, its labels are learned", taught.code === 0, taught.errors);
  const said = await awaited(() => heard.last(/^\{.*\}$/));
  heard.close();
  await board.cut();
  await broker.close();
  return { ...JSON.parse(said), image: statSync(imagePath(MEASURED)).size };
}

/** Returns the learner, XS's memory, and what TLS takes more than MQTT alone, beside what is planned. */
export async function tryTls(learner) {
  const from = writeRows(NODE, drawRows(SAMPLES));
  const plant = await Plant.build(join(NODE, "plant"));
  const xs = await checkTaught(learner, plant, from);
  const clock = await startTimeServer();
  const [plain, encrypted] = [
    await measure(learner, plant, from, false),
    await measure(learner, plant, from, true),
  ];
  await clock.close();
  const { wifi } = readPlan(learner, "--wifi", "--tls").target;
  const heap = {
    planned: wifi.tls,
    connected: plain.free - encrypted.free,
    most: plain.least - encrypted.least,
  };
  check("tls: the chip's heap suffices as planned", heap.most <= heap.planned, heap);
  check("tls: so does the task's stack", encrypted.stack > 0, encrypted);
  const stack = { plain: plain.stack, left: encrypted.stack };
  return { learner, xs, heap, stack, least: encrypted.least, image: encrypted.image - plain.image };
}
