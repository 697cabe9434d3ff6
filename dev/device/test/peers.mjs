// Programs of test/board that speak to an emulated board over its wire, each a process of its own.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBoard } from "../../../targets/emulator/board.mjs";
import { bundleForNode } from "../../../targets/emulator/bundle.mjs";
import { start } from "./commands.mjs";

/** A node of little memory, for boards whose link is tested. */
export const SMALL_NODE = {
  sid: 1,
  channels: 2,
  learner: "olk-c",
  options: { budget: 8 },
  pending: 8,
  checkpointEvery: 0,
};

/** Builds the program of that name that speaks to a board. Returns its file. */
export const builtPeer = (name) => bundleForNode(`test/board/${name}.ts`);

/** Starts a board with a new flash, gives `work` it and the socket of its wire, and ends it. Returns what `work` does. */
export async function withBoard(firmware, argument, work) {
  const place = mkdtempSync(join(tmpdir(), "motelearn-"));
  const unix = join(place, "wire");
  const board = await startBoard({ firmware, argument, uart: { unix }, flash: join(place, "flash") });
  const found = await work(board, unix);
  await board.close();
  rmSync(place, { recursive: true });
  return found;
}

/** What that program prints of a board. */
export async function outcomeWith(program, argument) {
  const lines = [];
  const { ended } = start([program, JSON.stringify(argument)], (line) => lines.push(line));
  const { errors } = await ended;
  return lines.length === 1 ? JSON.parse(lines[0]) : { said: [errors] };
}
