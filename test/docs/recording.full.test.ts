import { writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { run, start, temporaryFolder } from "../cli/program.ts";
import { become } from "../tools/awaited.ts";
import { test } from "../tools/contained.ts";
import { inFolder } from "../tools/stations.ts";
import { commandsIn, readPage } from "./pages.ts";

const file = temporaryFolder();
const COMMANDS = commandsIn(readPage("docs/recording.md"));
/** So long the press stays sound, or worn, in minutes. */
const STAY = 0.03;

/** The power's sensor is away each so many minutes, as a restart of Home Assistant leaves it. */
const AWAY = 97;

/** A press whose power and temperature rise with wear, as Home Assistant exports it. */
function history(): string {
  const random = new Random(7, "history");
  const rows = ["entity_id,state,last_changed"];
  let isWorn = false;
  for (let minute = 0; minute < 700; minute++) {
    if (random.uniform() < STAY) isWorn = !isWorn;
    const at = (ms: number) => new Date(Date.UTC(2026, 2, 1, 6, minute) + ms).toISOString();
    const power = 40 + (isWorn ? 9 : 0) + 2 * random.normal();
    const temperature = 31 + (isWorn ? 3 : 0) + 1.5 * random.normal();
    rows.push(`sensor.press_power,${minute % AWAY === 0 ? "unavailable" : power.toFixed(2)},${at(0)}`);
    rows.push(`sensor.press_temperature,${temperature.toFixed(2)},${at(400)}`);
    rows.push(`input_select.press_state,${isWorn ? "worn" : "sound"},${at(800)}`);
  }
  return `${rows.join("\n")}\n`;
}

/** A hum and noise; a worn bearing adds a line to the spectrum. */
function vibration(): string {
  const random = new Random(11, "vibration");
  const rows = ["acceleration,state"];
  let isWorn = false;
  for (let k = 0; k < 150_000; k++) {
    if (k % 1000 === 0 && random.uniform() < 0.1) isWorn = !isWorn;
    const hum = Math.sin(2 * Math.PI * 0.049 * k);
    const bearing = (isWorn ? 0.5 : 0.05) * Math.sin(2 * Math.PI * 0.213 * k);
    rows.push(`${(hum + bearing + 0.3 * random.normal()).toFixed(3)},${isWorn ? "worn" : "sound"}`);
  }
  return `${rows.join("\n")}\n`;
}

/** The words of a command behind `npx motelearn`, with its files in the folder, and the board's line at that socket. */
function parseArguments(command: string, folder: string, socket: string): string[] {
  const words = command.split(" ").slice(2);
  return words.map((word) => {
    if (word === "dist/emulator/tty") return `unix:${socket}`;
    return /\.(csv|json)$/.test(word) ? `${folder}/${basename(word)}` : word;
  });
}

const hashIn = (text: string, before: RegExp) =>
  new RegExp(`${before.source} +([0-9a-f]{16})`).exec(text)?.[1];

for (const [name, recording, from] of [
  ["history.csv", history, 0],
  ["vibration.csv", vibration, 6],
] as const)
  test(`${name}: six commands of the guide make a node on an emulated chip whose state is that of the recording`, async () => {
    const path = file(name, "");
    writeFileSync(path, recording());
    const socket = inFolder(`${name}.socket`);
    const [read, choose, evaluate, board, ...rest] = COMMANDS.slice(from, from + 6).map((command) =>
      parseArguments(command, dirname(path), socket),
    );
    assert.match(run(...read).stdout, /classes sound \d+, worn \d+/);
    const chosen = run(...choose).stdout;
    assert.match(chosen, /a learner pays: the best loses/);
    assert.match(
      chosen,
      from === 0
        ? /next: npx motelearn flash --node /
        : /next: npx motelearn init press --node \S+ --rate 1000/,
    );
    const learned = hashIn(run(...evaluate).stdout, /state hash of the last pass/);
    assert.ok(learned);
    const running = start(...board, "--unix", socket, "--flash", inFolder(`${name}.flash`));
    await running.says("Ctrl-C ends it");
    const [restore, inspect] = rest;
    const restored = run(...restore);
    assert.match(restored.stdout, /the node resumes from the copy/, restored.stderr);
    const inspected = run(...inspect).stdout;
    assert.is(hashIn(inspected, /learner's hash/), learned);
    assert.match(inspected, /classes +sound -1, worn \+1/);
    running.child.kill("SIGTERM");
    await become("the board's end", () => running.child.exitCode !== null, running.printed);
  });

test.run();
