// A copy of its memory, given back to an emulated board over its wire.
import { check } from "../checks.mjs";
import { builtPeer, outcomeWith, SMALL_NODE, withBoard } from "./peers.mjs";

const NODE = { ...SMALL_NODE, pending: 16 };

const LABEL_KEY = "000102030405060708090a0b0c0d0e0f";

/** Checks that a board takes a copy of its memory back, and learns on as a node on this machine does; with a label key, only by its tag. */
export async function checkRestore(firmware) {
  const restorer = await builtPeer("restore");
  for (const keys of [{}, { labelKey: LABEL_KEY }]) {
    const found = await withBoard(firmware, { run: "station", node: NODE, ...keys }, (_, unix) =>
      outcomeWith(restorer, { port: `unix:${unix}`, node: NODE, ...keys }),
    );
    const { untagged, isNewSession, copy, restored, after, beside } = found;
    const what = keys.labelKey ? "restore by a label key" : "restore";
    check(`${what}: the board has the copy's state`, copy !== undefined && restored === copy, found);
    check(`${what}: in a new session`, isNewSession === true, found);
    check(`${what}: it learns on as a node on this machine does`, after !== copy && after === beside, found);
    if (keys.labelKey) check(`${what}: not without its tag`, /no copy without a tag/.test(untagged), found);
  }
}
