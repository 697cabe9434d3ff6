// Firmware over the wire of an emulated board with two slots in its flash: the node's code selects the
// firmware, takes the image, starts it on trial, keeps it once a peer welcomed it, and falls back if its
// self-test gives other bits. QEMU runs the same code at each start in place of the image; from the image it
// reads the name that the node reports, and the self-test's expected hash.
import { check, printTable } from "../checks.mjs";
import { builtPeer, outcomeWith, SMALL_NODE, withBoard } from "./peers.mjs";

/** The self-test of another learner's steps has another hash. */
const OTHER = { ...SMALL_NODE, options: { budget: 8, C: 0.3 } };
const SAMPLE_MS = 50;

/**
 * Powers the board on again after each restart or power cut, until the returned function is called. A board
 * that fails stays off.
 */
function keepPowered(board) {
  let wanted = true;
  const repower = async () => {
    for (;;) {
      const code = await board.ended; // null: the power was cut
      if (!wanted || code > 0) return;
      await board.start();
    }
  };
  repower();
  return () => {
    wanted = false;
  };
}

/** Checks an update that stays, through a power cut, and one that falls back. */
export async function checkUpdate(firmware) {
  const sender = await builtPeer("update");
  const argument = { run: "station", node: SMALL_NODE, sampleMs: SAMPLE_MS, slots: true };
  const { good, bad, printed, starts } = await withBoard(firmware, argument, async (board, unix) => {
    const send = (name, expects) => outcomeWith(sender, { port: `unix:${unix}`, name, expects });
    const stop = keepPowered(board);
    const good = await send("second", SMALL_NODE);
    await board.cutPower();
    const bad = await send("third", OTHER);
    stop();
    return { good, bad, printed: board.lines(), starts: board.starts };
  });
  const kept =
    good.before === "emulator" && good.firmware === "second" && good.said.at(-1) === "the new firmware runs";
  check("update: an image comes into the idle slot, and starts", kept, good);
  check("update: it resumes from the checkpoint", good.restore === "restored" && good.seq > 0, good);
  check("update: once it was welcomed, it stays through a power cut", bad.before === "second", bad);
  const fell =
    bad.firmware === "second" && /: the node fell back to its previous firmware: /.test(bad.said.at(-1));
  check("update: one that comes to other bits falls back", fell && bad.restore === "restored", bad);
  // The first; the image; after the cut; the bad image, and back.
  check("update: five starts, and no complaint", starts === 5 && printed.length === 0, { starts, printed });
  printTable("Firmware over the wire", [
    ["", "runs before", "runs after", "state"],
    ...Object.entries({ good, bad }).map(([name, found]) => [
      name,
      found.before,
      found.firmware,
      found.restore,
    ]),
  ]);
}
