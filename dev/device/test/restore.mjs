// A copy of its memory, given back to an emulated board over its wire.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBoard } from "../../../targets/emulator/board.mjs";
import { check } from "../checks.mjs";
import { builtPeer, outcomeWith, SMALL_NODE } from "./peers.mjs";

const NODE = { ...SMALL_NODE, pending: 16 };

const LABEL_KEY = "000102030405060708090a0b0c0d0e0f";

/** Checks that a board takes a copy of its memory back, and learns on as a node on this machine does; with a label key, only by its tag. */
export async function checkRestore(firmware) {
  const restorer = await builtPeer("restore");
  for (const keys of [{}, { labelKey: LABEL_KEY }]) {
    const place = mkdtempSync(join(tmpdir(), "motelearn-"));
    const unix = join(place, "wire");
    const argument = { run: "station", node: NODE, ...keys };
    const board = await startBoard({ firmware, argument, uart: { unix }, flash: join(place, "flash") });
    const found = await outcomeWith(restorer, { port: `unix:${unix}`, node: NODE, ...keys });
    await board.close();
    rmSync(place, { recursive: true });
    const { untagged, isNewSession, copy, restored, after, beside } = found;
    const what = keys.labelKey ? "restore by a label key" : "restore";
    check(`${what}: the board has the copy's state`, copy !== undefined && restored === copy, found);
    check(`${what}: in a new session`, isNewSession === true, found);
    check(`${what}: it learns on as a node on this machine does`, after !== copy && after === beside, found);
    if (keys.labelKey) check(`${what}: not without its tag`, /no copy without a tag/.test(untagged), found);
  }
}
