import { printable } from "../../host/printable.ts";
import { table } from "../../host/terminal/table.ts";
import type { ClassValue, Explanation, Part } from "../../tools/explanation/explanation.ts";
import type { Vote } from "../../tools/explanation/fleet-vote.ts";
import { type ClassesRead, type RowsRead, rowLines } from "./rows-read.ts";
import { number } from "./text.ts";

/** The parts, the largest first, and what they come to. `never`: what stands for the sample of a part that none changed. */
function valueLines({ parts, sum, after, bits }: NamedValue, never: string, value: string): string[] {
  const largest = [...parts].sort((a, b) => Math.abs(b.part) - Math.abs(a.part));
  const rows = largest.map((part) => [
    ...[
      part.input ? `${part.of}: ${part.input}` : part.of,
      number(part.part),
      number(part.weight),
      number(part.by),
    ],
    ...[part.sample ?? never, printable(`${part.class ?? part.label ?? ""}`), part.source || ""],
  ]);
  return [
    table(rows, {
      head: ["of", "part", "weight", "times", "sample", "label", "source"],
      aligns: ["left", "right", "right", "right", "right", "left", "right"],
    }),
    "",
    `sum of the parts ${number(sum)}${after.map((step) => `, ${step}`).join("")}: bits ${bits}, the same as ${value}'s`,
  ];
}

/** ", class wet: 0.6", and of two classes ", class wet", where it has a name. */
function classText({ class: name, decision, score }: NamedExplanation): string {
  if (score === undefined) return name === undefined ? "" : `, class ${name}`;
  return `, class ${name ?? decision}: ${number(score)}`;
}

export function explanationText(explanation: NamedExplanation): string {
  const { learner, file, inputs, decision, against } = explanation;
  const never = explanation.copy === undefined ? "never" : "before";
  const second = against && printable(`${against.class ?? against.target}`);
  return [
    printable(
      `${learner} on ${placeText(explanation)} of ${file}: decision ${number(decision)}${classText(explanation)}`,
    ),
    ...(explanation.count === undefined ? [] : rowLines(explanation as RowsRead, explanation.classes)),
    ...(explanation.vote ? [voteText(explanation.vote, learner)] : []),
    "",
    ...(inputs ? [inputTable(inputs), ""] : []),
    ...valueLines(explanation, never, against ? "the class" : "the decision"),
    ...(against
      ? [
          "",
          `against class ${second}: ${number(against.score)}`,
          "",
          ...valueLines(against, never, "the class"),
        ]
      : []),
  ].join("\n");
}

/** Who judged: the model of the node's fleet or its own learner, and why. */
function voteText({ judge, labels, own, fleet, model }: Vote, learner: string): string {
  const form = model.vectors === 0 ? "a plane" : `${model.vectors} vectors`;
  const [less, more] = judge === "fleet" ? [fleet, own] : [own, fleet];
  return `${judge === "fleet" ? "the fleet's model" : learner} judged: of ${number(labels)} own labels the fleet's model (${form}) erred on ${number(fleet.errors)}, ${learner} on ${number(own.errors)}; against them count ${number(less.against)} and ${number(more.against)}, and less wins`;
}

/** Which prediction it is. */
function placeText({ at, seq, labels }: NamedSource): string {
  if (seq === undefined) return `sample ${at}`;
  return `sample ${seq}, as the node predicted it after ${labels} ${labels === 1 ? "label" : "labels"},`;
}

function inputTable(inputs: readonly NamedInput[]): string {
  const rows = inputs.map(({ name, value }) => [printable(name), number(value)]);
  return table(rows, { head: ["input", "value"], aligns: ["left", "right"] });
}

interface NamedInput {
  readonly name: string;
  readonly value: number;
}

/** A value's parts, with the names of their labels' classes where these are known. */
interface NamedValue extends Pick<Explanation, "sum" | "after" | "bits"> {
  readonly parts: readonly (Part & { readonly class?: string })[];
  /** Of the class that was decided, or whose value it is. */
  readonly class?: string;
}

/** An explanation, with where it is from, and with the names of its classes. */
export interface NamedExplanation extends Omit<Explanation, "parts" | "against">, NamedSource, NamedValue {
  readonly against?: Omit<ClassValue, "parts"> & NamedValue;
}

interface NamedSource extends Partial<RowsRead> {
  readonly classes?: ClassesRead;
  readonly inputs?: readonly NamedInput[];
  readonly learner: string;
  readonly file: string;
  /** The labelled sample; or the node's sample, its session, and the number of the last label before it. */
  readonly at?: number;
  /** The state that the samples follow. */
  readonly copy?: string;
  readonly seq?: number;
  readonly sid?: number;
  readonly labels?: number;
  /** Of a node that takes models of its fleet: who judged. */
  readonly vote?: Vote;
}
