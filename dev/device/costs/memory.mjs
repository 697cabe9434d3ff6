// The memory of a node at rest: objects, stacks.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { flashFile } from "../../../targets/emulator/board.mjs";
import { buildFirmware, runFirmware } from "../../../targets/emulator/device.mjs";
import {
  buildPackage,
  guideArguments,
  installInto,
  MOTELEARN,
} from "../../../targets/emulator/own-project.mjs";
import { projectScript } from "../../../targets/emulator/project.mjs";
import { LINE, makePair, nodeArgument, onWire, PARTS, spectralArgument } from "./node.mjs";
import { outcome, outcomes, readStacks } from "./runs.mjs";
import { isSized, runName, withGivenWidth } from "./subjects.mjs";

/** The memory of an outcome's objects, without its range and buffers. */
function room({ slots, chunks, besides, bytes }) {
  return { slots: slots - besides.slots, chunk: chunks - besides.chunks - bytes };
}

/** The most that one outcome's objects take beyond another's, for each of so many parts. */
function more(a, b, parts = 1) {
  return {
    slots: Math.ceil((room(a).slots - room(b).slots) / parts),
    chunk: Math.ceil((room(a).chunk - room(b).chunk) / parts),
  };
}

/** At most so many slots, and so many bytes of chunks, each at least 0. */
export function largest(rooms) {
  return {
    slots: Math.max(0, ...rooms.map(({ slots }) => slots)),
    chunk: Math.max(0, ...rooms.map(({ chunk }) => chunk)),
  };
}

/** A spectrum's options, beside as many windows. */
async function measureSpectrumsObjects(firmware) {
  const [spectral, windowed] = await outcomes(firmware, [
    spectralArgument("olk-c", [2, 64, 8, 16, 1]),
    nodeArgument("olk-c", [2, 64, true]),
  ]);
  return more(spectral, windowed);
}

/** Parts that lie around a learner, whose layout's text they keep in their own. */
const AROUND = ["balance", "alarms", "residual"];

/** Objects of the parts; none take fewer than none. `texts`: the characters of each learner's layout. */
async function measurePartsObjects(firmware, texts) {
  const found = {};
  for (const part of PARTS) {
    const pair = makePair(BYTEWISE, part);
    const { slots, chunk } = more(...(await outcomes(firmware, pair)));
    const inner = AROUND.includes(part) && { inner: texts[pair[1].node.learner] };
    found[part] = { slots: Math.max(0, slots), chunk: Math.max(0, chunk), ...inner };
  }
  return found;
}

/** Bytes that an option gives a learner: too few for some members, and enough for all. */
export const FEW_AND_MANY = [2048, 10240];

/** So little of `auto` that the block holds it beside its wire and the emulated flash: how deep it goes doesn't depend on that. */
const LITTLE = { landmarks: 2, lag: 2 };
/** Steps that fill a budget of 20. */
const DEEP_STEPS = 64;

/** A node behind its wire with features and the learner of that name. */
function deepNode(name) {
  const { node, ...argument } = { ...nodeArgument(runName(name), [2, 4, true]), steps: DEEP_STEPS };
  if (isSized(name)) return onWire({ ...argument, budget: FEW_AND_MANY[0], node });
  return onWire(
    name.split("/")[0] === "auto"
      ? { ...argument, budget: 4, node: { ...node, options: LITTLE } }
      : { ...argument, node },
  );
}

/** Time in which the project starts, and takes samples. */
const PROJECT_MS = 10_000;

/** The chip on which objects are measured. */
export const OBJECTS = "rv32imafc";
/** One whose UART has most objects. */
const BYTEWISE = "m4f";

/** How deep the stacks go with the project that `motelearn init` makes, whose own code is called between machine and library. */
async function measureProject(linux) {
  buildPackage();
  const place = mkdtempSync(join(tmpdir(), "motelearn-"));
  try {
    installInto(place);
    execFileSync(process.execPath, [MOTELEARN, ...guideArguments("init")], { cwd: place });
    const firmware = await buildFirmware(
      OBJECTS,
      linux,
      projectScript(place, () => {}),
    );
    return readStacks(await runFirmware(firmware, { untilMs: PROJECT_MS }, flashFile(join(place, "flash"))));
  } finally {
    rmSync(place, { recursive: true });
  }
}

/** How deep the stacks of XS and of C go at most: with each learner's node behind its wire, and with a project. */
export async function measureStack({ linux, program }, names) {
  const firmware = await buildFirmware(OBJECTS, linux, program);
  const deep = await outcomes(firmware, [...names, "ova:olk-c/3"].map(deepNode));
  const all = [...deep, await measureProject(linux)];
  return {
    slots: Math.max(...all.map(({ stack }) => stack)),
    cBytes: Math.max(...all.map(({ cStack }) => cStack)),
  };
}

/**
 * XS slots and chunk bytes of objects, which are the same on every chip: the engine's, a node's by learner,
 * of those names, and the additions of features, classes and the wire.
 */
export async function measureObjects({ linux, program, finders, texts }, names) {
  const firmware = await buildFirmware(OBJECTS, linux, program);
  const spectrum = await measureSpectrumsObjects(firmware);
  const parts = await measurePartsObjects(firmware, texts);
  const { slots, chunks } = await outcome(firmware, { run: "nothing" });
  const engine = { slots, chunk: chunks };
  const bare = [8, 0, false];
  const makeArguments = (name) =>
    isSized(name)
      ? FEW_AND_MANY.map((budget) => ({ ...nodeArgument(runName(name), bare), budget }))
      : [nodeArgument(withGivenWidth(name, finders), bare)];
  const found = {};
  for (const name of names) found[name] = largest((await outcomes(firmware, makeArguments(name))).map(room));
  const given = nodeArgument("olk-c/given", bare);
  const [plain, several, sharing, finding, windowed, standardised, installed, behind] = await outcomes(
    firmware,
    [
      given,
      nodeArgument("ova:olk-c/3/given", bare),
      nodeArgument("ova:olk-c/3/shared/given", bare),
      nodeArgument("olk-c", bare),
      nodeArgument("olk-c/given", [8, 8, false]),
      nodeArgument("olk-c/given", [8, 8, true]),
      { ...given, node: { ...given.node, fleetBudget: 0 } },
      onWire(given, LINE),
    ],
  );
  return {
    engine,
    objects: {
      learners: found,
      problem: more(several, plain, 3),
      shared: more(sharing, plain),
      width: more(finding, plain),
      window: more(windowed, plain, 8),
      standardise: more(standardised, windowed),
      fleet: more(installed, plain),
      spectrum,
      parts,
    },
    wire: more(behind, plain),
  };
}
