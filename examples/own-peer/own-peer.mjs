// A peer of one's own: it labels what a node senses by a rule, over any stream of bytes. With a node at a TCP port of this machine
// or a Unix socket, such as `npx motelearn board --tcp 7071`: `node own-peer.mjs 7071 100` hands it 100 labels.
import { connect } from "node:net";
import { Peer } from "motelearn";

const TICK_MS = 50;
const [at = "", count = "100"] = process.argv.slice(2);

/** What the samples are labelled by: here whether the first reading is below 1. @param {ArrayLike<number>} x */
const trueLabel = (x) => (x[0] < 1 ? 1 : -1);

/** Labels in their order, from number `first` on. @type {import("motelearn").Label[]} */
let labels = [];
let first = 1;

const line = /^\d+$/.test(at) ? connect(Number(at), "localhost") : connect(at);
const peer = new Peer({
  write: (bytes) => void line.write(bytes.slice()), // they are only valid during the call
  id: Math.floor(2 ** 32 * Math.random()),
  now: () => performance.now(),
  labels: {
    at: (number) => labels[number - first],
    restart(labelled) {
      labels = [];
      first = labelled + 1;
      // Raw samples, too, and a checkpoint every 20 labels: a label is kept until it lies in one.
      const reports = { statisticsEvery: 0, statisticsMs: 0, predictions: 1, samples: 1 };
      peer.configure({ checkpointEvery: 20, ...reports });
    },
  },
  on(name, message) {
    if (name !== "sample") return;
    const { sid, seq, x, total, length } = /** @type {import("motelearn").Message<"sample">} */ (message);
    if (length === total) labels.push({ number: first + labels.length, sid, seq, y: trueLabel(x) });
  },
});

line.on("data", (bytes) => peer.receive(bytes));
line.on("error", ({ message }) => {
  console.error(`own-peer: ${at}: ${message}`);
  process.exit(4);
});
setInterval(() => {
  peer.tick();
  const durable = Math.max(0, peer.node.durable - first + 1);
  if (durable < Number(count)) return;
  console.log(`${durable} labels are in a checkpoint; ${peer.counts.labelsResent} were sent again`);
  process.exit();
}, TICK_MS);
