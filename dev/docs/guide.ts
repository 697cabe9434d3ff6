import { markdownTable } from "../../host/files/marked-part.ts";
import { type Family, takesBudget, type UserOptions, withBudget } from "../../src/learn/family.ts";
import { FAMILIES } from "../../src/learn/registry.ts";
import { nodeLayout } from "../../src/node/node-layout.ts";
import { BOARDS, type Target } from "../../targets/boards.ts";
import { footprint } from "../../targets/footprint.ts";
import { milliseconds } from "../../targets/instructions.ts";
import { plannedNode } from "../../targets/planned-node.ts";
import { type Card, GROUPS, readCards } from "./cards.ts";
import { ownOptions, SHARED_OPTIONS, sharedOptions } from "./option-tables.ts";
import { drawPicture } from "./picture.ts";

const HEAD = `# Guide to the learners

One card for each learner, or for two that are one algorithm by default, as \`npm run build:cards\` writes this page: its facts come from the registry, its costs from \`motelearn plan\`, its picture from a
run of 400 samples with a fixed seed. \`npx motelearn learners NAME\` prints the options of the version that you run. \`npx motelearn choose\` searches all
learners on your data.

Notation: f(x) is the prediction before the label y is learned; k is the kernel; a_i is the coefficient of the stored vector c_i; w are the weights of
a linear learner. Equation numbers in parentheses refer to the paper that the card names. A card without numbers states the update in this
project's own notation.

The pictures of classifiers show where the learner predicts +1 (shaded), and the last 60 samples with their labels. One label in ten is wrong. The pictures
of novelty detectors show where samples are usual. The pictures of regression show the fit (blue), the true function (red) and the last 60 samples.

Costs are for 8 features and a budget of 64 vectors, without a floating-point unit (ESP32-C3) and with one (nRF52840). Milliseconds are
instructions of an emulated chip, one a clock cycle: an approximation. "Not measured" stands where \`npm run build:costs\`
has no costs of the learner yet. Learners that store no vectors have no budget.
`;

const LISTED = `## All learners

Bytes count a whole node (learner, pending ring of 64 samples, cursors, counters) with 8 features and the learner's default budget, which is 64, of \`auto\` 32.
\`npx motelearn plan --learner ID --dimension 8\` prints them.
`;

/** Boards of the table of costs: without a floating-point unit, and with one. */
const SHOWN: readonly Target[] = ["esp32c3", "nrf52840"];
const SIZE = { channels: 8, budget: 64 };
/** A node with that learner, as `plan` has it by default. */
const standardNode = (learner: Family, options: UserOptions) => ({
  ...{ sid: 1, channels: SIZE.channels, features: { standardise: true } },
  ...{ learner, options },
});

const count = (value: number) => value.toLocaleString("en-US");

/** The instructions and the memory of a node on a board: of two learners of a card, a row each. */
function costRow(family: Family, target: Target, named: boolean): string[] {
  const node = plannedNode(standardNode(family, withBudget(family, {}, SIZE.budget)));
  const { ram, time, board } = footprint(target, node);
  const what = named ? `${target}, ${family.name}` : target;
  if (!time) return [what, ...Array(3).fill("not measured")];
  const cell = (instructions: number) =>
    `${count(instructions)} (${milliseconds(board, instructions).toFixed(2)} ms)`;
  return [what, cell(time.predict), cell(time.learn), `${count(ram.bytes)} B`];
}

function abilities(family: Family): string {
  const options = Object.keys(family.options);
  const { words = [] } = family.options.evict ?? {};
  const can: readonly (readonly [boolean, string])[] = [
    [family.manyClasses === true, "several classes by itself"],
    [
      options.includes("shared") || (family.task === "classification" && family.manyClasses !== true),
      "several classes by one-vs-all (`ova:`)",
    ],
    [options.includes("sources"), "corrects for known rates of wrong labels (`sources`)"],
    [options.includes("storage"), "vectors of 16 bits (`storage`)"],
    [words.includes("merge"), "merges vectors of a full budget (`evict`)"],
    [!takesBudget(family), "stores no vectors"],
  ];
  return can
    .filter(([does]) => does)
    .map(([, what]) => what)
    .join("; ");
}

function headingText(families: readonly Family[]): string {
  return `${families.map(({ name }) => name).join(", ")}: ${families.map(({ title }) => title).join("; ")}`;
}

/** A card; of two learners the options and the paper are the first one's, as they are the same. */
function cardText(families: readonly Family[], { idea, equation, use }: Card): string {
  const [family] = families;
  const { task, paper } = family;
  const bytes = families.map((each) =>
    count(nodeLayout(standardNode(each, withBudget(each, {}, SIZE.budget))).bytes),
  );
  const does = abilities(family);
  return [
    `### ${headingText(families)}`,
    "",
    ...families.flatMap(({ name }) => [`![What ${name} learned from 400 samples](learners/${name}.svg)`, ""]),
    idea,
    "",
    "```text",
    ...equation,
    "```",
    "",
    `**When to use it.** ${use}`,
    "",
    markdownTable(
      ["board", "predict, instructions", "learn, instructions", "RAM of the node"],
      SHOWN.flatMap((target) => families.map((each) => costRow(each, target, families.length > 1))),
    ),
    "",
    ...ownOptions(family),
    `${task[0].toUpperCase()}${task.slice(1)}${does ? `; ${does}` : ""}. The node's own range takes ${[...new Set(bytes)].join(" or ")} bytes. ${paper}.`,
    "",
  ].join("\n");
}

/** The families of each group, in the registry's order. */
function groupFamilies(): (readonly [title: string, families: readonly Family[]])[] {
  const findGroup = (family: Family) => GROUPS.find(([, takes]) => takes(family))?.[0];
  return GROUPS.map(([title]) => [title, FAMILIES.filter((family) => findGroup(family) === title)] as const);
}

/** The anchor of a card's heading, as GitHub and typedoc make it. */
function headingAnchor(families: readonly Family[]): string {
  return headingText(families)
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

/** The learners of a card, in the registry's order. */
function cardFamilies({ learners }: Card): Family[] {
  return FAMILIES.filter(({ name }) => learners.includes(name));
}

/** A row for each learner, with the bytes of a node at the learner's default budget. */
function tableOfLearners(cardOf: (family: Family) => Card): string {
  const rows = FAMILIES.map((learner) => {
    const { bytes } = nodeLayout(standardNode(learner, {}));
    const { name, title, task } = learner;
    return [`[\`${name}\`](#${headingAnchor(cardFamilies(cardOf(learner)))})`, title, task, bytes];
  });
  return markdownTable(["id", "learner", "task", "bytes"], rows, (column) => column === 3);
}

/** The guide's page. Throws if a learner has no card. */
function guideText(): string {
  const cards = readCards();
  const findCard = ({ name }: Family) => {
    const card = cards.find(({ learners }) => learners.includes(name));
    if (!card) throw new Error(`${name} has no card: the comment before its class, or its family's record`);
    return card;
  };
  const cardTexts = (families: readonly Family[]) =>
    [...new Set(families.map(findCard))].map((card) => cardText(cardFamilies(card), card));
  const groups = groupFamilies().map(([title, families]) =>
    [`## ${title}\n`, ...cardTexts(families)].join("\n"),
  );
  const boards = SHOWN.map((target) => `${target}: ${BOARDS[target].core}`).join("; ");
  return `${HEAD}\nBoards: ${boards}.\n\n${LISTED}\n${tableOfLearners(findCard)}\n\n${SHARED_OPTIONS}\n${sharedOptions()}\n\n${groups.join("\n")}`;
}

/** The guide's files by their paths in docs/. */
export function guideFiles(): { readonly [path: string]: string } {
  const pictures = FAMILIES.map((family) => [`learners/${family.name}.svg`, drawPicture(family)]);
  return { "learners.md": guideText(), ...Object.fromEntries(pictures) };
}
