// A node's traffic at a serial line of 115,200 baud, a sample and a label each second, in its machine's time:
// no frame is longer than the FIFO, no byte is lost, each label is processed once, and the end has no more
// memory than the first minute.
import { allocates, check, printTable, readOutcome } from "../checks.mjs";

const MINUTE = 60;
/**
 * A label comes that many seconds after its sample: the last ones after the last second. See
 * programs/labeller.ts.
 */
const LATE = 5;
const FRAME_MAX = 128;
/** Labels between two checkpoints, see programs/loops.ts. */
const CHECKPOINT_EVERY = 300;

/** Has `onMachine` run so many minutes, and `onNode` the same. */
export async function checkTraffic(where, minutes, onMachine, onNode) {
  const labels = MINUTE * minutes;
  const argument = { run: "hour", steps: labels + LATE, settled: MINUTE, dimension: 8, budget: 64 };
  const ts = await onNode({ ...argument, path: "js" });
  const ran = readOutcome(await onMachine({ ...argument, path: "c" }));
  const { up, down, ...counted } = ran.traffic ?? { up: {}, down: {} };
  const holds = (what, is) => check(`${where}, ${minutes} minutes of traffic: ${what}`, is, ran);
  holds("ends where Node does", ran.hash === ts.hash);
  holds("no slot, chunk byte or collection more than after one minute", !allocates(ran));
  holds("no frame is longer than 128 bytes", up.longest <= FRAME_MAX && down.longest <= FRAME_MAX);
  const lost = up.lost + down.lost + up.left + down.left + counted.unreported + counted.faults;
  holds("no byte is lost, and none left", lost === 0);
  holds("each label is answered once", counted.labelled === labels);
  holds("checkpoints are kept", counted.checkpoints === Math.floor(labels / CHECKPOINT_EVERY));
  const planted = { ...argument, steps: 2 * MINUTE, plant: MINUTE + 1, path: "c" };
  const seen = readOutcome(await onMachine(planted));
  check(`${where}: one object more in two minutes of traffic is seen`, allocates(seen), seen);
  const { turns, instructions, mostPerTurn } = counted;
  printTable(`${minutes} minutes at 115,200 baud on ${where}, a sample and a label each second`, [
    ["", "bytes", "frames", "longest", "lost"],
    ["up", up.bytes, up.frames, up.longest, up.lost],
    ["down", down.bytes, down.frames, down.longest, down.lost],
  ]);
  const spent = `${Math.round(instructions / (labels + LATE))} instructions a second, ${mostPerTurn} in the largest of ${turns} turns`;
  console.log(instructions > 0 ? `${spent}; ${counted.labelled} labels` : `${counted.labelled} labels`);
}
