// A copy of its memory, given back to an emulated board over its wire.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBoard } from "../../../targets/emulator/board.mjs";
import { check } from "../checks.mjs";
import { builtPeer, outcomeWith, SMALL_NODE } from "./peers.mjs";

const NODE = { ...SMALL_NODE, pending: 16 };

/** Checks that a board takes a copy of its memory back, and learns on as a node on this machine does. */
export async function checkRestore(firmware) {
  const restorer = await builtPeer("restore");
  const place = mkdtempSync(join(tmpdir(), "motelearn-"));
  const unix = join(place, "wire");
  const argument = { run: "station", node: NODE };
  const board = await startBoard({ firmware, argument, uart: { unix }, flash: join(place, "flash") });
  const found = await outcomeWith(restorer, { port: `unix:${unix}`, node: NODE });
  await board.close();
  rmSync(place, { recursive: true });
  const { isNewSession, copy, restored, after, beside } = found;
  check("restore: the board has the copy's state", copy !== undefined && restored === copy, found);
  check("restore: in a new session", isNewSession === true, found);
  check("restore: it learns on as a node on this machine does", after !== copy && after === beside, found);
}
