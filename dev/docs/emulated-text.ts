import { markdownTable } from "../../host/files/marked-part.ts";

/** A node with options, started in the memory that its plan gave it, and what chunks and slots took of it, bytes: at most where they grow, and planned. */
interface PlannedRun {
  readonly learner: string;
  readonly bytes: number;
  readonly measured?: number;
  readonly planned: number;
}

/** What the parts of `npm run test:idf` that run one learner's node found of it. */
export interface TrialResults {
  readonly balanced: PlannedRun;
  readonly parts: PlannedRun;
  readonly cuts: {
    readonly learner: string;
    /** Power cuts; how many of them were within an erase, and how many before the node's first word. */
    readonly cuts: number;
    readonly erases: number;
    readonly starts: number;
    /** What the starts found: the newest checkpoint, the one before it, or none. */
    readonly restored: number;
    readonly fallback: number;
    readonly fresh: number;
    /** How many reported their state. */
    readonly compared: number;
  };
  readonly start: { readonly learner: string };
  readonly watchdog: { readonly learner: string; readonly restarts: number };
  readonly fault: { readonly learner: string };
  readonly state: { readonly learner: string };
  readonly keys: { readonly learner: string };
  readonly tls: {
    readonly learner: string;
    /** Bytes of XS's memory, at most where that grows, of the chip's heap, of the task's stack, and of the image. */
    readonly xs: { readonly measured?: number; readonly planned: number };
    readonly heap: { readonly most: number; readonly planned: number; readonly connected: number };
    readonly stack: { readonly left: number; readonly plain: number };
    readonly image: number;
    readonly least: number;
  };
  readonly update: { readonly learner: string };
}

/** The results of those that ran. */
export type Trials = Partial<TrialResults>;

export interface ChipRun {
  readonly title: string;
  readonly versions: {
    readonly sdk: string;
    readonly idf: string;
    readonly compiler: string;
    readonly qemu: string;
  };
  /** The learners that ran, and those of them whose state follows from their samples, too. */
  readonly ran: readonly string[];
  readonly ordered: readonly string[];
  readonly trials: Trials;
  /** A table with a row for each learner that ran. */
  readonly figures: readonly (readonly (string | number)[])[];
  /** Learners below and above their planned memory by more than 5 %; undefined where memory doesn't grow. */
  readonly beyond?: { readonly below: readonly string[]; readonly above: readonly string[] };
}

/** What the page is written of. */
interface EmulatedRuns {
  readonly date: string;
  readonly all: readonly string[];
  readonly runs: readonly ChipRun[];
}

const table = ([head, ...rows]: ChipRun["figures"]): string => markdownTable(head.map(String), rows);

/** For each target, what ran on what. */
function targets(runs: readonly ChipRun[], count: number): string {
  const none = "Espressif has none";
  const inQemu = (title: string) => {
    const run = runs.find((one) => one.title === title);
    return run ? `the firmware, whole: ${run.ran.length} of ${count} learners` : "not run";
  };
  return table([
    ["target", "real board", "Espressif's QEMU", "emulated chip of this project", "Linux"],
    ["ESP32-C3", "none", inQemu("ESP32-C3"), "RV32IMAC", ""],
    ["ESP32", "none", inQemu("ESP32"), "RV32IMAFC in place of Xtensa", ""],
    ["ESP32-S3", "none", inQemu("ESP32-S3"), "RV32IMAFC in place of Xtensa", ""],
    ["RP2040", "none", none, "Cortex-M0+ code on a Cortex-M3", ""],
    ["RP2350", "none", none, "Cortex-M33", ""],
    ["nRF52840", "none", none, "Cortex-M4F", ""],
    ["Linux", "", "", "", "the node's program"],
  ]);
}

/** The learners that didn't run. */
function others(ran: readonly string[], all: readonly string[]): string {
  const left = all.filter((name) => !ran.includes(name));
  if (left.length === 0) return "";
  return `\nThese learners didn't run: ${names(left)}.\n`;
}

/** What XS took of its memory, where that grows. */
const xsText = ({ measured, planned }: TrialResults["tls"]["xs"]): string =>
  measured === undefined
    ? `The ${planned} bytes that are planned for XS sufficed.`
    : `XS took ${measured} bytes at most, ${planned} planned with a certificate as long as this authority's.`;

/** What a node with those options showed. */
const plannedText =
  (options: string) =>
  ({ learner, bytes, measured, planned }: PlannedRun): string =>
    `The node with \`${learner}\` and ${options} started in the ${bytes} bytes that its plan gave it, with this machine's bits. It learned the recording to this
machine's state, and resumed after a power cut with every label.${measured === undefined ? "" : ` Chunks and slots took ${measured} bytes at most, ${planned} planned.`}`;

/** What each trial showed, of the node with that learner. */
const TRIAL_TEXTS: { readonly [Part in keyof TrialResults]: (found: TrialResults[Part]) => string } = {
  balanced: plannedText("option `balanced`"),
  parts: plannedText(
    "windows, requests for labels, prediction sets, drift alarms and room for a fleet's model",
  ),
  cuts: ({ learner, cuts, erases, starts, restored, fallback, fresh, compared }) =>
    `While the node with \`${learner}\` learned, its power was cut at ${cuts} random instants, ${erases} of them within an erase of the flash, and ${starts} before its first
word. The other starts found their newest checkpoint (${restored}), the one before it (${fallback}) or none yet (${fresh}). Each had all labels that were
durable, learned those of samples that waited, as each label came some samples late, and the ${compared} that reported their state had this machine's.`,
  start: ({ learner }) =>
    `With a watchdog of one second, the node with \`${learner}\` started: its start takes longer, and lets the idle task run.`,
  watchdog: ({ learner, restarts }) =>
    `A turn of the node with \`${learner}\` hung ${restarts} times. The watchdog restarted it each time, it resumed from its checkpoint, and learned every label, to the same
state.`,
  fault: () => "A node whose sensors don't fit it said so on its wire.",
  state: ({ learner }) =>
    `A node with \`${learner}\` was flashed with what this machine had learned of the recording. It began with that state, learned on to this machine's, and
kept it through a power cut.`,
  keys: ({ learner }) =>
    `The node with \`${learner}\` got a line key and a label key. NVS had both, also after a power cut, and the firmware neither. The node answered no labeller
without the line key, and learned no label without a tag.`,
  tls: ({ learner, xs, heap, stack, image, least }) =>
    `The node with \`${learner}\` was at a mosquitto with TLS, over the emulated board's Ethernet; Wi-Fi isn't emulated. It refused a certificate for another host, one that had
expired, one of another authority, and one forged in the name of its own, said why on its UART, and logged in at none. At the right one it learned every
label to this machine's state, and resumed with the same state after a power cut, once its time server answered. ${xsText(xs)}
Beside a node at a broker without TLS, TLS took ${heap.most} bytes more of the chip's heap at most, ${heap.planned} planned, and ${heap.connected} while connected; ${least} were left at
least. The task's stack had ${stack.left} bytes left at least, ${stack.plain} without TLS. The image had ${image} bytes more. QEMU has no random numbers but its own.`,
  update: ({ learner }) =>
    `The node with \`${learner}\` took an update over its wire. A power cut within the transfer made it resume, and one within the trial of the
new firmware made the bootloader return to the old one. Sent again, the update ran, was confirmed, and stayed after another power cut.`,
};

const names = (list: readonly string[]): string => list.map((name) => `\`${name}\``).join(", ");

/** What one trial showed, or undefined if it didn't run. */
function trialText<Part extends keyof TrialResults>(part: Part, trials: Trials): string | undefined {
  const found: TrialResults[Part] | undefined = trials[part];
  return found && TRIAL_TEXTS[part](found);
}

/** What happened to one learner's node besides; trials that didn't run are named. */
function trialTexts(trials: Trials): string {
  const parts = Object.keys(TRIAL_TEXTS) as (keyof Trials)[];
  const texts = parts.map((part) => trialText(part, trials)).filter((text) => text !== undefined);
  const left = parts.filter((part) => !trials[part]);
  if (left.length > 0) texts.push(`These trials didn't run: ${names(left)}.`);
  return texts.map((text) => `${text}\n\n`).join("");
}

/** Learners whose state follows from the samples besides. */
function ordersText(ordered: readonly string[]): string {
  if (ordered.length === 0) return "";
  return ` The state of ${names(ordered)} follows from the order of samples and labels, and the samples that come after the cut change it: there, the number of labels is compared after the cut.`;
}

/** How far the memory of those that ran lies from the plan; nothing where it doesn't grow. */
function beyondText({ beyond, ran }: ChipRun): string {
  if (!beyond) return "";
  const { below, above } = beyond;
  const ofThose = (list: readonly string[]) => (list.length === ran.length ? "every node" : names(list));
  const less = below.length === 0 ? "no node" : ofThose(below);
  const more = above.length === 0 ? "no node" : ofThose(above);
  return `Less than planned by more than 5 %, chunks and slots together: ${less}; more than planned: ${more}.\n\n`;
}

function runText(run: ChipRun, all: readonly string[]): string {
  const { title, versions, ran, ordered, trials, figures } = run;
  const { sdk, idf, compiler, qemu } = versions;
  const learners =
    ran.length === 0 ? "No learner's trial has passed.\n" : `${table(figures)}\n${others(ran, all)}`;
  return `## ${title}

Moddable SDK ${sdk}, ESP-IDF ${idf}, compiler ${compiler}, and ${qemu}.${ordersText(ordered)}

${trialTexts(trials)}${beyondText(run)}${learners}`;
}

/** The text of docs/emulated.md: of runs until `date`, one of each chip, in their order, beside `all` names of learners. */
export function emulatedText({ date, all, runs }: EmulatedRuns): string {
  return `# The firmware in Espressif's QEMU

Written by \`npm run build:emulated\` of the runs of \`npm run test:idf\` until ${date}, which dev/idf/ran.json has.

What ran on what:

${targets(runs, all.length)}

The emulated chips run \`npm run test:device\`: the same C and the same JavaScript, without Espressif's ROM, drivers and FreeRTOS. Linux runs
\`npm run test:mqtt\`.

Each learner below ran as the whole firmware of its chip: the chip's ROM, bootloader, partition table, FreeRTOS, drivers, XS and the node. It started
in the memory below, which its plan gave it when it ran, and its self-test had this machine's bits. It learned a recording to this machine's state, and
resumed with the same hash after a power cut.

The tables have what \`plan\` says now, beside the most that the node took since its start, garbage included. An ESP32-C3 has one block of memory, from
which chunks and slots grow. An ESP32 or an ESP32-S3 has a part for each, which XS takes whole at its start and which never grows, so there is no most: a
node that takes more ends. What the plan keeps for the application isn't counted, since there is none; the memory has it. QEMU takes 8 ns for an
instruction, so the planned milliseconds are scaled from the chip's clock to that. The reported turn includes the save of a checkpoint. \`plan\` shows the
milliseconds of a chip's flash apart, and QEMU's flash has others.

${runs.map((run) => runText(run, all)).join("\n")}`;
}
