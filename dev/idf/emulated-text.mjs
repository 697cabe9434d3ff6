/** A row of a table in Markdown. */
const line = (cells) => `| ${cells.join(" | ")} |`;

function table([head, ...rows]) {
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** For each target, what ran on what. */
function targets(runs, count) {
  const none = "Espressif has none";
  const inQemu = (title) => {
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
function others(ran, all) {
  const left = all.filter((name) => !ran.includes(name));
  if (left.length === 0) return "";
  return `\nThese learners didn't run: ${names(left)}.\n`;
}

/** What each trial showed, of the node with that learner. */
const TRIAL_TEXTS = {
  cuts: ({ learner, cuts, erases, starts, restored, fallback, fresh, compared }) =>
    `While the node with \`${learner}\` learned, its power was cut at ${cuts} random instants, ${erases} of them within an erase of the flash. ${starts} starts were
cut off, and the others found their newest checkpoint (${restored}), the one before it (${fallback}) or none yet (${fresh}). Each had all labels that were
durable, learned those of samples that waited, as each label came some samples late, and the ${compared} that reported their state had this machine's.`,
  start: ({ learner }) =>
    `With a watchdog of one second, the node with \`${learner}\` started: its start takes longer, and lets the idle task run.`,
  watchdog: ({ learner, restarts }) =>
    `A turn of the node with \`${learner}\` hung ${restarts} times. The watchdog restarted it each time, it resumed from its checkpoint, and learned every label, to the same
state.`,
  fault: () => "A node whose sensors don't fit it said so on its wire.",
  keys: ({ learner }) =>
    `The node with \`${learner}\` got a line key and a label key. NVS had both, also after a power cut, and the firmware neither. The node answered no labeller
without the line key, and learned no label without a tag.`,
  tls: ({ learner, xs, heap, stack, image, least }) =>
    `The node with \`${learner}\` was at a mosquitto with TLS, over the emulated board's Ethernet; Wi-Fi isn't emulated. It refused a certificate for another host, one that had
expired, one of another authority, and one forged in the name of its own, said why on its UART, and logged in at none. At the right one it learned every
label to this machine's state, and resumed with the same state after a power cut, once its time server answered. XS took ${xs.measured} bytes at most, ${xs.planned} planned.
Beside a node at a broker without TLS, TLS took ${heap.most} bytes more of the chip's heap at most, ${heap.planned} planned, and ${heap.connected} while connected; ${least} were left at
least. The task's stack had ${stack.left} bytes left at least, ${stack.plain} without TLS. The image had ${image} bytes more. QEMU has no random numbers but its own.`,
  update: ({ learner }) =>
    `The node with \`${learner}\` took an update over its wire. A power cut within the transfer made it resume, and one within the trial of the
new firmware made the bootloader return to the old one. Sent again, the update ran, was confirmed, and stayed after another power cut.`,
};

const names = (list) => list.map((name) => `\`${name}\``).join(", ");

/** What happened to one learner's node besides; trials that didn't run are named. */
function trialTexts(trials) {
  const parts = Object.keys(TRIAL_TEXTS);
  const texts = parts.filter((part) => trials[part]).map((part) => TRIAL_TEXTS[part](trials[part]));
  const left = parts.filter((part) => !trials[part]);
  if (left.length > 0) texts.push(`These trials didn't run: ${names(left)}.`);
  return texts.map((text) => `${text}\n\n`).join("");
}

/** Learners whose state follows from the samples besides. */
function ordersText(ordered) {
  if (ordered.length === 0) return "";
  return ` The state of ${names(ordered)} follows from the order of samples and labels, and the samples that come after the cut change it: there, the number of labels is compared after the cut.`;
}

/** How far the memory of those that ran lies from the plan; nothing where it doesn't grow. */
function beyondText(beyond, ran) {
  if (!beyond) return "";
  const { below, above } = beyond;
  const ofThose = (list) => (list.length === ran.length ? "every node" : names(list));
  const less = below.length === 0 ? "no node" : ofThose(below);
  const more = above.length === 0 ? "no node" : ofThose(above);
  return `Less than planned by more than 5 %, chunks and slots together: ${less}; more than planned: ${more}.\n\n`;
}

/** What ran on one chip. */
function runText({ title, versions, ran, ordered, trials, figures, beyond }, all) {
  const { sdk, idf, compiler, qemu } = versions;
  return `## ${title}

Moddable SDK ${sdk}, ESP-IDF ${idf}, compiler ${compiler}, and ${qemu}.${ordersText(ordered)}

${trialTexts(trials)}${beyondText(beyond, ran)}${table(figures)}
${others(ran, all)}`;
}

/**
 * The text of docs/emulated.md: of runs until `date`, one of each chip, in their order. `all` are names of learners. Of a run: `title` of the chip;
 * `versions` of the tools; `ran` the names of learners that ran, and `ordered` those whose state follows from their samples, too; `trials` the result
 * of each trial of one learner's node, or undefined; `figures` a table with a row for each learner that ran, and `beyond` those `below` and `above`
 * the planned memory by more than 5 %, or undefined where memory doesn't grow.
 */
export function emulatedText({ date, all, runs }) {
  return `# The firmware in Espressif's QEMU

Written by \`npm run test:idf -- --doc none\` of the runs of \`npm run test:idf\` until ${date}.

What ran on what:

${targets(runs, all.length)}

The emulated chips run \`npm run test:device\`: the same C and the same JavaScript, without Espressif's ROM, drivers and FreeRTOS. Linux runs
\`npm run test:mqtt\`.

Each learner below ran as the whole firmware of its chip: the chip's ROM, bootloader, partition table, FreeRTOS, drivers, XS and the node. It started
in the memory below, which its plan gave it when it ran, and its self-test had this machine's bits. It learned a recording to this machine's state, and
resumed with the same hash after a power cut.

The tables have what \`plan\` says now, beside the most that the node took since its start, garbage included. An ESP32-C3 has one block of memory, from
which chunks and slots grow. An ESP32 has a part for each, which XS takes whole at its start and which never grows, so there is no most: a node that takes
more ends. What the plan keeps for the application isn't counted, since there is none; the memory has it. QEMU takes 8 ns for an instruction, so the planned
milliseconds are scaled from the chip's clock to that. The reported turn includes the save of a checkpoint. \`plan\` shows the milliseconds of a chip's
flash apart, and QEMU's flash has others.

${runs.map((run) => runText(run, all)).join("\n")}`;
}
