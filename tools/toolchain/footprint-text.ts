import { fileWord } from "../../host/terminal/command-line.ts";
import { table } from "../../host/terminal/table.ts";
import { SECTOR_BYTES } from "../../src/store/checkpoint-store.ts";
import { SLOT_BYTES } from "../../targets/boards.ts";
import type { Footprint, Misfit } from "../../targets/footprint.ts";
import { longestSample, milliseconds, type PartTime, type Time } from "../../targets/instructions.ts";
import { planCreation } from "../../targets/ram.ts";

/** Plan's names for the parts of a node's time. */
const PART_NAMES: { readonly [part in PartTime["part"]]: string } = {
  watch: "width: watched at each label",
  sources: "label corrected for its source",
  fleet: "the fleet's model judges",
  requests: "label requests",
  sets: "prediction sets",
  intervals: "prediction intervals",
  drift: "drift watched",
  balance: "threshold that balances the classes",
  alarms: "level of alarms",
  residual: "baseline of the residual",
  uart: "UART: bytes one by one",
  keyed: "key: tags of frames",
  keyedLabels: "key: a label's own tag",
};

type Row = readonly (string | number)[];

function ms(value: number): string {
  return value < 10 ? value.toPrecision(3) : value.toFixed(1);
}

/** What doesn't fit, and by how much. */
export function misfitText({ what, needs, gives, unit }: Misfit): string {
  const valueText = (value: number) => (unit === "ms" ? ms(value) : `${value}`);
  return `${what} needs ${valueText(needs)} ${unit}, there are ${valueText(gives)}, ${valueText(needs - gives)} too few`;
}

function numbers(head: readonly string[], rows: readonly Row[]): string {
  return table(rows, { head, aligns: ["left", "right"] });
}

function ramText({ ram }: Footprint): string {
  const { items, needs, stack, cStack, rounding, bytes, gives } = ram;
  const rows: Row[] = items.map(({ item, chunk, slots }) => [item, chunk, slots, chunk + SLOT_BYTES * slots]);
  const stackText = `XS stack: ${stack.slots} slots, ${stack.measured} used at most`;
  rows.push([stackText, "", "", SLOT_BYTES * stack.slots]);
  if (gives.static) {
    const { heap, chunk } = gives;
    rows.push([`rounding: by ${heap.incremental} slots, ${chunk.incremental} bytes`, "", "", rounding]);
    rows.push(["total", needs.chunk, needs.slots, bytes]);
    rows.push(["the board gives", "", "", gives.static]);
    rows.push(["left", "", "", gives.static - bytes]);
  } else {
    const [chunk, slots] = [gives.chunk.initial, gives.heap.initial];
    const all = chunk + SLOT_BYTES * (slots + gives.stack);
    rows.push(["total", needs.chunk, needs.slots, bytes]);
    rows.push(["the board gives", chunk, slots, all]);
    rows.push(["left", chunk - needs.chunk, slots - needs.slots, all - bytes]);
  }
  return [
    numbers(["RAM", "chunk bytes", `slots of ${SLOT_BYTES}`, "bytes"], rows),
    `Besides, in C: a stack of ${cStack.bytes} bytes, ${cStack.measured} used at most.`,
  ].join("\n");
}

/** The heap left beside Wi-Fi; undefined for a node without Wi-Fi. */
function wifiText({ wifi }: Footprint): string | undefined {
  if (!wifi) return undefined;
  const { free, source, xs, cStack, tls, left } = wifi;
  const own: Row[] = [
    ["XS's memory", xs],
    ["the stack of its task", cStack],
    ...(tls > 0 ? [["TLS, while it connects", tls]] : []),
  ];
  const head = ["RAM beside Wi-Fi", "bytes"];
  if (free === undefined || left === undefined)
    return `${numbers(head, own)}\nNobody publishes what this chip's Wi-Fi leaves.`;
  const rows: Row[] = [["free once Wi-Fi has an address", free], ...own, ["left", left]];
  return `${numbers(head, rows)}\nFree: ${source}, with the default sdkconfig.`;
}

/** How long the turn of a save takes. */
function eraseText({ board: { erase }, flash: { erases, eraseMs }, time }: Footprint): string[] {
  const sectors = erases === 1 ? "a sector" : `${erases} sectors`;
  const within = `usually ${eraseMs.usual} ms, at most ${eraseMs.most} (${erase.source})`;
  const erasing = `A save erases ${sectors} in one turn: ${within}.`;
  if (!time) return [erasing];
  const turn = ms(eraseMs.usual + milliseconds(time, longestSample(time)));
  return [erasing, `With the longest sample and label that turn takes ${turn} ms.`];
}

function flashText(footprint: Footprint): string {
  const { header, checkpoint, slot, bytes, gives } = footprint.flash;
  const rows: Row[] = [
    ["a checkpoint's header", header],
    ["its state and counters", checkpoint],
    [`one slot, in sectors of ${SECTOR_BYTES}`, slot],
    ["two slots", bytes],
    ["the partition gives", gives],
    ["left", gives - bytes],
  ];
  return [numbers(["flash", "bytes"], rows), ...eraseText(footprint)].join("\n");
}

/** How long no other task of the chip runs, and how long its watchdog waits. */
function unyieldingText({ board: { watchdogMs }, unyielding }: Footprint): string[] {
  if (!unyielding) return [];
  const { mostMs, startMs, turnMs } = unyielding;
  const gives = watchdogMs === undefined ? "" : `; the watchdog waits ${watchdogMs} ms`;
  const parts = `${ms(startMs)} at the start, ${ms(turnMs)} in a turn that learns`;
  return [`Without a yield to other tasks: at most ${ms(mostMs)} ms (${parts})${gives}.`];
}

function timeText(footprint: Footprint, time: Time): string {
  const { board, beyond } = footprint;
  const row = (item: string, count: number) => [item, count, ms(milliseconds(time, count))];
  const rows: Row[] = [
    row("node: features, pending ring, labels", time.node),
    row("predict", time.predict),
    row("learn, at most", time.learn),
    ...(time.width ? [row("learn while the width is sought", time.width)] : []),
    row("wire: a label in, its answer and a prediction out", time.wire),
    ...time.parts.map(({ part, instructions }) => row(PART_NAMES[part], instructions)),
    row("a sample and its label", time.sample),
    ...(time.restart ? [row("restart of the confidence, at an alarm", time.restart)] : []),
  ];
  const period = time.periodMs;
  const mhz = board.clockHz / 1e6;
  if (period !== undefined) {
    rows.push(["the period gives", "", ms(period)]);
    rows.push(["left, at least", "", ms(period - milliseconds(time, longestSample(time)))]);
  }
  return [
    numbers(["time", "instructions", "ms"], rows),
    `Instructions: ${board.chip}, emulated, the budget full, default options. ms: one a cycle of ${mhz} MHz, an ` +
      `approximation:`,
    `the chip's own code (${board.core}) and its flash cache differ. Sensors, the wire's driver and checkpoints come on top.`,
    ...unyieldingText(footprint),
    `Reckoned by a fit that erred by at most ${(100 * time.error).toFixed(1)} % on the sizes that were measured, which "at most" includes.`,
    ...(beyond.length > 0 ? [`Beyond the sizes that were measured: ${beyond.join(", ")}.`] : []),
  ].join("\n");
}

/** The note about a learner without measured costs, and what to do: the command that measures them, if one does. */
export function unmeasuredText(learner: string, plugin: readonly string[]): string {
  const plugins = plugin.map((file) => `--plugin ${fileWord(file)}`);
  const command = ["npm run build:costs --", learner, ...plugins].join(" ");
  return `no costs of ${learner} were measured; measure them in a clone, with QEMU and compilers for the emulated chips: ${command}`;
}

function noTimeText(unmeasured: string): string {
  const counted = "The learner's objects count as the largest of those that were measured.";
  return `Time isn't known: ${unmeasured}\n${counted}`;
}

/** A node's footprint on a board, for people: RAM, flash, time. `unmeasured` replaces the time where there is none. */
export function boardText(footprint: Footprint, unmeasured: string): string {
  const { time } = footprint;
  const wifi = wifiText(footprint);
  return [
    ramText(footprint),
    ...(wifi === undefined ? [] : [wifi]),
    flashText(footprint),
    time ? timeText(footprint, time) : noTimeText(unmeasured),
  ].join("\n\n");
}

/** Says that the node fits on its board, or by how much it doesn't. */
export function verdictText({ target, misfits }: Footprint): string {
  const verdict = misfits.length === 0 ? ["fits"] : ["doesn't fit", ...misfits.map(misfitText)];
  return `${target}: ${verdict.join("\n  ")}`;
}

function timeJson(time: Time, chip: string, beyond: readonly string[]) {
  const { node, predict, learn, width, wire, parts, restart, sample, error, periodMs } = time;
  const besides = Object.fromEntries(parts.map(({ part, instructions }) => [part, instructions]));
  const rare = { ...(width && { width }), ...(restart && { restart }) };
  return {
    chip,
    instructions: { node, predict, learn, ...rare, wire, ...besides, sample },
    ms: milliseconds(time, sample),
    ...(periodMs === undefined ? {} : { periodMs }),
    error,
    beyond,
  };
}

/** The same for programs; `time` is null where the learner's costs weren't measured. */
export function boardJson(footprint: Footprint) {
  const { target, board, ram, flash, time, unyielding, misfits, wifi, beyond } = footprint;
  return {
    name: target,
    core: board.core,
    clockHz: board.clockHz,
    ram,
    flash,
    ...(wifi && { wifi }),
    time: time ? timeJson(time, board.chip, beyond) : null,
    unyielding: unyielding ? { ...unyielding, watchdogMs: board.watchdogMs } : null,
    creation: planCreation(footprint),
    fits: misfits.length === 0,
    misfits,
  };
}
