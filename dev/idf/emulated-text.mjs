/** A row of a table in Markdown. */
const line = (cells) => `| ${cells.join(" | ")} |`;

function table([head, ...rows]) {
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** For each target, what ran on what. */
function targets(learners, count) {
  const none = "Espressif has none";
  return table([
    ["target", "real board", "Espressif's QEMU", "emulated chip of this project", "Linux"],
    ["ESP32-C3", "none", `the firmware, whole: ${learners} of ${count} learners`, "RV32IMAC", ""],
    ["ESP32, ESP32-S3", "none", "not run", "RV32IMAFC in place of Xtensa", ""],
    ["RP2040", "none", none, "Cortex-M0+ code on a Cortex-M3", ""],
    ["RP2350", "none", none, "Cortex-M33", ""],
    ["nRF52840", "none", none, "Cortex-M4F", ""],
    ["Linux", "", "", "", "the node's program"],
  ]);
}

/** The learners that didn't run. */
function others(ran, all) {
  const left = all.filter((name) => !ran.includes(name));
  if (left.length === 0) return "";
  return `\nThese learners didn't run: ${left.map((name) => `\`${name}\``).join(", ")}.\n`;
}

/** What happened to the first learner's node besides. */
function trials(learner, cuts, update) {
  const cut = `While the node with \`${learner}\` learned, its power was also cut at ${cuts} random instants: it learned every label, to the same state.`;
  const updated = `The node with \`${learner}\` took an update over its wire, with a power cut within the transfer.`;
  return [...(cuts > 0 ? [cut] : []), ...(update ? [updated] : [])].map((text) => `${text}\n\n`).join("");
}

/**
 * The text of docs/emulated.md: of a run of `command` on `date` with those versions of the tools, which cut the power of the first
 * learner's node `cuts` times, and updated it if `update` is true. `ran` and `all` are names of learners; `figures` a table with a row for each that ran.
 */
export function emulatedText({ date, command, versions, ran, all, cuts, update, figures }) {
  const { sdk, idf, compiler, qemu } = versions;
  return `# The firmware in Espressif's QEMU

Written by \`${command}\` on ${date}, with Moddable SDK ${sdk}, ESP-IDF ${idf}, compiler ${compiler}, and ${qemu}.

What ran on what:

${targets(ran.length, all.length)}

The emulated chips run \`npm run test:device\`: the same C and the same JavaScript, without Espressif's ROM, drivers and FreeRTOS. Linux runs
\`npm run test:mqtt\`.

Each learner below ran as the whole firmware of an ESP32-C3: the chip's ROM, bootloader, partition table, FreeRTOS, drivers, XS and the node. It started
in its planned memory, and its self-test had this machine's bits. It learned a recording to this machine's state, and resumed with the same hash after
a power cut.

${trials(ran[0], cuts, update)}What \`plan\` says, beside what the node reported after its labels. The plan counts what the start takes besides, which was free again by then. QEMU takes 8 ns
for an instruction, so the planned milliseconds are scaled from the chip's clock to that. The reported turn includes the save of a checkpoint. \`plan\`
shows the milliseconds of a chip's flash apart, and QEMU's flash has others.

${table(figures)}
${others(ran, all)}`;
}
