// A node behind a TCP port that this process teaches, from one start to the next, and waits for, beside the states that it should have.
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { port } from "./order.mjs";

const TICK_MS = 10;
const ASK_MS = 300;
/** Labels come so many samples late, so that checkpoints and power cuts find samples that wait. */
const LATE = 3;
const NO_STORAGE = { save: () => false, load: () => undefined, rollback: () => undefined };

/** Only a node that hangs takes so long, even on a busy machine. */
const HANGS_MS = 900_000;
const LOOK_MS = 1;

/** Resolves once that holds, with true; with false for a node that hangs. */
export async function until(holds) {
  for (const end = performance.now() + HANGS_MS; !holds(); )
    if (performance.now() > end) return false;
    else await new Promise((done) => setTimeout(done, LOOK_MS));
  return true;
}

const hex = (word) => word.toString(16).padStart(8, "0");

/** The hash of the learner's state after so many labels: this machine's node takes each row's sample and label in turn. */
export async function stateHashes(folder, rows) {
  const { SensorNode, familyNamed } = await import("motelearn");
  const { node } = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")).config;
  const options = { ...node, sid: 1, learner: familyNamed(node.learner) };
  const twin = new SensorNode(options, { now: () => 0 }, { predicted() {}, acknowledge() {} }, NO_STORAGE);
  const hashes = [twin.learner.stateHash()];
  return (labelled) => {
    while (hashes.length <= labelled) {
      const number = hashes.length;
      const { x, y } = rows[(number - 1) % rows.length];
      twin.sample(Float32Array.from(x));
      twin.label({ number, sid: 1, seq: number, y });
      hashes.push(twin.learner.stateHash());
    }
    return hashes[labelled];
  };
}

/** One start of the node, whose samples are the rows, again and again: each gets its label. */
export async function teachOnce(rows) {
  const { LABEL_STATUS, Peer } = await import("motelearn");
  const learned = [LABEL_STATUS.applied, LABEL_STATUS.duplicate, LABEL_STATUS.held];
  const life = { hello: undefined, state: undefined, durable: 0, missed: [] };
  const socket = connect(port, "127.0.0.1");
  const began = performance.now();
  const firstWord = ({ restore, labelled, seq }) => ({
    ...{ restore, labelled, seq },
    afterMs: performance.now() - began,
  });
  let askedAt = 0;
  const peer = new Peer({
    write: (bytes) => void socket.write(bytes.slice()),
    id: 1 + Math.floor(Math.random() * 0xfffffffe),
    now: () => performance.now(),
    labels: {
      at(number) {
        const { sid, seq } = peer.node;
        if (number > seq - LATE) return undefined;
        return { number, sid, seq: number, y: rows[(number - 1) % rows.length].y };
      },
    },
    on(name, message) {
      if (name === "acknowledgement" && !learned.includes(message.status))
        life.missed.push([message.number, message.status]);
      if (name === "hello") life.hello ??= firstWord(message);
      if (name === "state" && !life.state) {
        const { labelled, learnerHigh, learnerLow } = message;
        life.state = { labelled, hash: hex(learnerHigh) + hex(learnerLow) };
      }
    },
  });
  const turn = () => {
    if (!life.state && peer.met && performance.now() - askedAt > ASK_MS) {
      askedAt = performance.now();
      peer.request("state");
    }
    peer.tick();
    life.durable = peer.node.durable;
    life.labelled = peer.node.labelled;
    life.seq = peer.node.seq;
  };
  socket.on("data", (bytes) => {
    peer.receive(bytes);
    turn();
  });
  socket.on("error", () => {}); // a power cut
  const timer = setInterval(turn, TICK_MS);
  life.end = () => {
    clearInterval(timer);
    socket.destroy();
  };
  return life;
}
