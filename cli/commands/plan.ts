import { type Command, Option } from "commander";
import { DoesNotFitError, UserError } from "../../host/errors.ts";
import { printable } from "../../host/printable.ts";
import {
  jsonObject,
  optionsObject,
  positiveNumber,
  wholeNumber,
  withFlag,
} from "../../host/terminal/arguments.ts";
import { printDocument, printJson, printText } from "../../host/terminal/print.ts";
import { table } from "../../host/terminal/table.ts";
import { Catalogue } from "../../host-sim/catalogue/catalogue.ts";
import {
  checkOptionNames,
  chooseFamily,
  chooseForClasses,
  takesClasses,
} from "../../host-sim/catalogue/learner-choice.ts";
import { addPluginOption, catalogueWith } from "../../host-sim/catalogue/plugins.ts";
import { pendingForDelay } from "../../host-sim/labels/late-labels.ts";
import { takesBudget } from "../../src/learn/family.ts";
import { asksForRanges } from "../../src/learn/storage.ts";
import type { Layout } from "../../src/memory/layout.ts";
import { nodeLayout } from "../../src/node/node-layout.ts";
import { NODE_OPTIONS, type NodeOptions, nodeLearner } from "../../src/node/node-options.ts";
import { type FeaturesOption, featureDimension } from "../../src/signal/features.ts";
import { checkpointBytes } from "../../src/store/checkpoint-store.ts";
import { KEY_BYTES } from "../../src/wire/keyed.ts";
import { planBattery } from "../../targets/battery.ts";
import { BOARDS, type Board, type Power, TARGETS, type Target } from "../../targets/boards.ts";
import { type Footprint, footprint } from "../../targets/footprint.ts";
import { milliseconds } from "../../targets/instructions.ts";
import { type PlannedLine, plannedNode } from "../../targets/planned-node.ts";
import { planCreation } from "../../targets/ram.ts";
import { batteryText } from "../../tools/toolchain/battery-text.ts";
import { checkTls, checkUsb, refuseWithoutWifi, WIRES } from "../../tools/toolchain/firmware.ts";
import {
  boardJson,
  boardText,
  misfitText,
  unmeasuredText,
  verdictText,
} from "../../tools/toolchain/footprint-text.ts";
import { NODE_NAMES } from "../../tools/toolchain/node-names.ts";
import { addNodeOptions, type PlanFlags } from "../options/node-options.ts";
import { readSpectrum } from "../options/spectrum-options.ts";

function boardPower(target: Target): Power | undefined {
  const board: Board = BOARDS[target];
  return board.power;
}

/** @param isGiven whether the command line has an option: a node's file may say how a node talks that has no battery. */
function checkBatteryFlags(
  { battery, target, period, creation }: PlanFlags,
  isGiven: (name: string) => boolean,
): void {
  const flags = { wakeMs: "--wake-ms", talkEvery: "--talk-every", talkMs: "--talk-ms" };
  const [, alone] = Object.entries(flags).find(([name]) => isGiven(name)) ?? [];
  if (battery === undefined && alone)
    throw new UserError(`${alone}: is for a battery; give --battery mAh, too`);
  if (battery === undefined) return;
  if (target === undefined || period === undefined)
    throw new UserError(
      "--battery: on which board, and how often does it sample? Give --target and --period ms",
    );
  if (creation) throw new UserError("--battery: --creation prints no energy; leave one of them out");
  if (!boardPower(target)) {
    const others = TARGETS.filter((name) => boardPower(name as Target));
    throw new UserError(`--battery: ${target} doesn't sleep deeply; takes --target ${others.join("|")}`);
  }
}

/** The flags that only matter with a board. */
function boardFlag({ period, creation, wire, keyed, keyedLabels, wifi, tls }: PlanFlags): string | undefined {
  const given = {
    "--period": period !== undefined,
    "--creation": creation,
    "--wire": wire !== undefined,
    "--keyed": keyed,
    "--keyed-labels": keyedLabels,
    "--wifi": wifi !== undefined,
    "--tls": tls,
  };
  return Object.entries(given).find(([, is]) => is)?.[0];
}

function checkTargetFlags(flags: PlanFlags): void {
  const { target, creation, json, pending, window, standardise, node } = flags;
  if (pending === 0 && (window > 0 || standardise || node !== undefined)) {
    throw new UserError(
      "--pending 0: the learner without a node has neither --window nor --standardise nor --node",
    );
  }
  if (target === undefined) {
    const flag = boardFlag(flags);
    if (flag) throw new UserError(`${flag}: on which board? Give --target ${TARGETS.join("|")}`);
    return;
  }
  if (pending === 0) throw new UserError(`--target ${target}: takes a whole node: --pending 1 or more`);
  if (creation && json) throw new UserError("--creation: is JSON already; leave --json out");
}

type NodeExtras = Pick<
  NodeOptions,
  | "labelBudget"
  | "coverage"
  | "coverageBy"
  | "labelFlips"
  | "grossLabels"
  | "drift"
  | "fleetBudget"
  | "ranges"
  | "labelRange"
  | "labelWindow"
>;
type FeatureExtras = Pick<FeaturesOption, "wavelet" | "horizon" | "stepAfter">;

/** The options in `--node`: the node's own, and its features'. */
function nodeExtras(text: string): readonly [NodeExtras, FeatureExtras] {
  const options: NodeExtras & FeatureExtras = jsonObject("--node", text);
  for (const name of Object.keys(options)) {
    if (!(NODE_NAMES as readonly string[]).includes(name))
      throw new UserError(`--node: has no option ${printable(name)}; takes ${NODE_NAMES.join(", ")}`);
  }
  const { wavelet, horizon, stepAfter, ...extras } = options;
  const features = Object.entries({ wavelet, horizon, stepAfter }).filter(([, value]) => value !== undefined);
  return [extras, Object.fromEntries(features)];
}

/** A key of the usual length; only its length matters here. */
const SOME_KEY = new Uint8Array(KEY_BYTES);

/** The connection of a node with these options. */
function planLine(
  target: Target,
  { wire = "uart", keyed, keyedLabels, wifi, tls, creation: isOwn }: PlanFlags,
): PlannedLine {
  const usb = wire === "usb";
  if (usb) checkUsb(target);
  if (wifi) refuseWithoutWifi(target);
  if (tls) checkTls(target, wifi !== undefined);
  const keys = { ...(keyed && { key: SOME_KEY }), ...(keyedLabels && { labelKey: SOME_KEY }) };
  return { usb, wifi: wifi !== undefined, tls, isOwn, ...keys };
}

/** The samples that may wait for a label. */
function pendingOfFlags({ pending, labelDelay }: Pick<PlanFlags, "pending" | "labelDelay">): number {
  return pending ?? (labelDelay === undefined ? NODE_OPTIONS.pending.default : pendingForDelay(labelDelay));
}

/** The node that the options describe, and its footprint on the board. Throws a UserError or OptionError. */
export function makePlan(flags: PlanFlags, catalogue = Catalogue.shipped) {
  checkTargetFlags(flags);
  let options = optionsObject(flags.options);
  options = withFlag(withFlag(options, "dimension", flags.dimension), "budget", flags.budget);
  const channels = options.dimension;
  if (channels === undefined) throw new UserError("plan: how many readings in a sample? Give --dimension D");
  const named = chooseFamily(flags.learner, catalogue);
  const names = typeof flags.classes === "object" ? flags.classes : undefined;
  const classes = names?.length ?? (flags.classes as number | undefined) ?? 2;
  if (
    flags.classes !== undefined &&
    named.task !== "classification" &&
    named.task !== "multiclass" &&
    !(names && named.task === "novelty")
  ) {
    throw new UserError(
      `--classes ${classes}: learner ${named.name} is for ${named.task}, which has no classes`,
    );
  }
  const family = chooseForClasses(named, classes);
  if (flags.classes !== undefined && takesClasses(family, classes))
    options = withFlag(options, "classes", classes);
  checkOptionNames(family, options);
  const { target, period } = flags;
  const pending = pendingOfFlags(flags);
  const { standardise = pending > 0 } = flags;
  const [given, ofFeatures] = nodeExtras(flags.node ?? "{}");
  const extras = { ...given, ...(names && { classes: names }) };
  const features = { window: flags.window, standardise, ...readSpectrum(flags), ...ofFeatures };
  const node: NodeOptions = {
    ...extras,
    sid: 1,
    channels: channels as number,
    pending,
    features,
    learner: family,
    options,
  };
  // Checks the learner's options first, so that its message names the learner; ranges may come from the node.
  if (!asksForRanges(family, options))
    family.layout({ ...options, dimension: featureDimension(node.channels, features) });
  options = nodeLearner(node).options;
  const learnerLayout = family.layout(options);
  const layout = pending === 0 ? learnerLayout : nodeLayout(node);
  const planned = target && plannedNode(node, planLine(target, flags));
  const board = planned && footprint(target, planned, period);
  const unmeasured = unmeasuredText(planned?.costed ?? named.name, flags.plugin ?? []);
  const power = target && boardPower(target);
  const battery = board && power && batteryLife(flags, board, power, layout, unmeasured);
  const own = { learnerLayout, layout, pending, features, extras };
  return { family, options, ...own, board, battery, power, unmeasured };
}

function batteryLife(flags: PlanFlags, board: Footprint, power: Power, layout: Layout, unmeasured: string) {
  const { battery, period, wakeMs, talkEvery, talkMs } = flags;
  if (battery === undefined || period === undefined) return undefined;
  if (!board.time) throw new UserError(`--battery: ${unmeasured}`);
  const sampleMs = milliseconds(board.time, board.time.sample);
  const options = { mAh: battery, periodMs: period, wakeMs, talkEvery, talkMs };
  return planBattery(power, checkpointBytes(layout), sampleMs, options);
}

function listRegions(layout: Layout) {
  return layout.regions.map((region) => ({
    name: region.name,
    kind: region.kind,
    offset: layout.byteOffset(region),
    bytes: 4 * region.words,
  }));
}

function bytesByKind(layout: Layout) {
  return { state: 4 * layout.state, counters: 4 * layout.counters, scratch: 4 * layout.scratch };
}

function planText({
  family,
  learnerLayout,
  layout,
  pending,
  board,
  battery,
  power,
  unmeasured,
}: Plan): string {
  const { state, counters, scratch } = bytesByKind(layout);
  const rows = listRegions(layout).map(({ name, kind, offset, bytes }) => [name, kind, offset, bytes]);
  const whole =
    pending === 0 ? "alone" : `${learnerLayout.bytes} bytes, with a pending ring of ${pending} samples`;
  return [
    ...(board ? [verdictText(board), ""] : []),
    printable(`${family.name}: ${family.title}, ${whole}`),
    "",
    table([...rows, ["total", "", "", layout.bytes]], {
      head: ["region", "kind", "offset", "bytes"],
      aligns: ["left", "left", "right"],
    }),
    "",
    `state ${state} (hashed), counters ${counters}, scratch ${scratch}; a checkpoint takes ${state + counters} bytes`,
    ...(board ? ["", boardText(board, unmeasured)] : []),
    ...(battery && power ? ["", batteryText(battery, power)] : []),
  ].join("\n");
}

export type Plan = ReturnType<typeof makePlan>;

function planJson({ family, options, layout, learnerLayout, pending, board, battery }: Plan) {
  return {
    schema: "motelearn.plan/1" as const,
    learner: family.name,
    options,
    pending,
    bytes: layout.bytes,
    learnerBytes: learnerLayout.bytes,
    ...bytesByKind(layout),
    takesBudget: takesBudget(family),
    regions: listRegions(layout),
    ...(board ? { target: boardJson(board) } : {}),
    ...(battery ? { battery } : {}),
  };
}

/**
 * Throws a DoesNotFitError that says what doesn't fit on the board, and, unless the printed plan shows it, by
 * how much.
 */
export function refuseMisfits({ family, board }: Plan, printed = false): void {
  if (!board || board.misfits.length === 0) return;
  const what = board.misfits.map((misfit) => (printed ? misfit.what : misfitText(misfit)));
  throw new DoesNotFitError(`${family.name} doesn't fit on ${board.target}: ${what.join("; ")}`);
}

/** Throws a UserError where the node's costs, which a manifest's memory needs, weren't measured. */
export function refuseUnmeasured({ board, unmeasured }: Plan): void {
  if (board && !board.time) throw new UserError(unmeasured);
}

export function addPlan(program: Command): void {
  const command = program
    .command("plan")
    .description("print the memory of a node to the byte, region by region, before it is built");
  addPluginOption(addNodeOptions(command))
    .addOption(
      new Option(
        "--target <board>",
        "print the memory and time that it takes on this board, item by item; exit 3 if it doesn't fit",
      ).choices(TARGETS),
    )
    .option("--period <ms>", "with --target: milliseconds between two samples", positiveNumber)
    .addOption(
      new Option(
        "--wire <wire>",
        "with --target: the wire is a UART, or the chip's own USB (default: uart)",
      ).choices(WIRES),
    )
    .option("--keyed", "with --target: the wire has a key, see `motelearn key`")
    .option("--keyed-labels", "with --target: labels have a key")
    .option("--wifi", "with --target: the wire is an MQTT broker's, over Wi-Fi")
    .option("--tls", "with --wifi: that wire is encrypted")
    .option(
      "--creation",
      "with --target: print the `creation` of a manifest that you write yourself, as JSON",
    )
    .option(
      "--battery <mAh>",
      "with --target and --period: energy of a sample, and days of life",
      positiveNumber,
    )
    .option(
      "--wake-ms <ms>",
      "with --battery: from the end of a sleep to the sample (default: 300)",
      positiveNumber,
    )
    .option(
      "--talk-every <n>",
      "with --battery: samples from one talk to the next (default: 1)",
      wholeNumber(1),
    )
    .option(
      "--talk-ms <ms>",
      "with --battery: milliseconds that a talk lasts (default: 2000)",
      wholeNumber(0),
    )
    .option("--json", "print motelearn.plan/1")
    .action(async (flags: PlanFlags & { readonly plugin: readonly string[] }) => {
      checkBatteryFlags(flags, (name) => command.getOptionValueSource(name) === "cli");
      const plan = makePlan(flags, await catalogueWith(flags.plugin));
      if (flags.creation) {
        refuseUnmeasured(plan);
        refuseMisfits(plan);
      }
      if (flags.creation && plan.board) printDocument({ creation: planCreation(plan.board) });
      else if (flags.json) printJson(planJson(plan));
      else printText(planText(plan));
      refuseMisfits(plan, true);
    });
}
