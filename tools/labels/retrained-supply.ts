import { appendFileSync, existsSync, readFileSync, truncateSync } from "node:fs";
import { UserError } from "../../host/errors.ts";
import { writeFault } from "../../host/files/write-fault.ts";
import { JsonError, parseFiniteJson } from "../../host/json.ts";
import { GroupTrainer } from "../../host/training/group-trainer.ts";
import type { Lesson, ModelForm } from "../../host/training/model.ts";
import { FeatureParts } from "../../src/peer/features.ts";
import type { FedSample } from "../../src/peer/samples.ts";
import type { Message } from "../../src/wire/messages.ts";
import type { Span } from "../fusion/spans.ts";
import type { Deliverables, DueInstall, DueItem, SupplyEnd } from "./supply.ts";

const SCHEMA = "motelearn.lessons/1";
const WANTED = "give --retrain the file of this node's earlier labels, or a new one";

const formText = ({ dimension, vectors }: ModelForm) => `${dimension} features and ${vectors} vectors`;

/** Lines of a file of lessons: the form of its models, first; a label with the features of its sample; the number of a model of those before. */
interface Form extends ModelForm {
  readonly schema: typeof SCHEMA;
}
interface LearnedLabel {
  readonly number: number;
  readonly y: number;
  readonly x: readonly number[];
}
interface ModelPlace {
  readonly model: number;
}
type Line = Form | LearnedLabel | ModelPlace;

/** What a node says that takes models. */
interface RetrainedNode extends ModelForm {
  /** The last label that it answered. */
  readonly labelled: number;
}

/**
 * A node's labels, and among them models that this machine trains from them: a group of one node, whose models are fitted to all labels at once. A file keeps
 * labels and features, so a later process knows which numbers are models', and trains on.
 */
export class RetrainedSupply implements Deliverables<DueItem> {
  private readonly trainer: GroupTrainer;
  private readonly parts = new FeatureParts();
  private readonly models = new Map<number, DueInstall>();
  /** The last number that the node answered, the last that was handed out, and the last label whose features came. */
  private answered: number;
  private handed: number;
  private learned = 0;

  /**
   * @param file keeps the lessons; it is made where there is none. @param trained called with each new model.
   * Throws a UserError if the file isn't this node's.
   */
  constructor(
    private readonly supply: Deliverables,
    private readonly file: string,
    { dimension, vectors, labelled }: RetrainedNode,
    private readonly trained: (model: DueInstall) => void,
  ) {
    this.trainer = new GroupTrainer(1, { dimension, vectors });
    this.answered = this.handed = labelled;
    const lines = readLines(file);
    if (lines.length === 0) this.keep({ schema: SCHEMA, dimension, vectors });
    for (const [i, text] of lines.entries()) {
      const why = this.fault(lineIn(text, { dimension, vectors }), { dimension, vectors });
      if (why) throw new UserError(`${file}:${i + 1}: ${why}; ${WANTED}`);
    }
  }

  /** Takes a line of the file. Returns why it can't be this node's. */
  private fault(line: Line | undefined, form: ModelForm): string | undefined {
    if (!line) return `no line of lessons of ${form.dimension} features`;
    if ("schema" in line) {
      const isSame = line.dimension === form.dimension && line.vectors === form.vectors;
      return isSame
        ? undefined
        : `models of ${formText(line)}, and the node takes those of ${formText(form)}`;
    }
    if ("number" in line) this.learn(line.number, { x: Float32Array.from(line.x), y: line.y });
    else {
      const [model] = this.trainer.models();
      if (!model) return "no model is due here";
      this.place(line.model, model.bytes);
    }
    return undefined;
  }

  /** Takes a part of the features that the node sends of a labelled sample. */
  features(message: Message<"features">): void {
    const number = this.parts.take(message);
    const label = number > this.learned && number <= this.handed ? this.label(number) : undefined;
    if (!label || "model" in label) return;
    const x = this.parts.x.slice();
    this.keep({ number, y: label.y, x: [...x] });
    this.learn(number, { x, y: label.y });
    for (const { bytes } of this.trainer.models()) {
      const place = this.handed + 1;
      this.keep({ model: place }); // before it is handed out
      this.trained(this.place(place, bytes));
    }
  }

  private learn(number: number, lesson: Lesson): void {
    this.trainer.take(0, lesson);
    this.learned = number;
    this.handed = Math.max(this.handed, number);
  }

  private place(number: number, model: Uint8Array): DueInstall {
    const install = { number, model, due: 0 };
    this.models.set(number, install);
    this.handed = Math.max(this.handed, number);
    return install;
  }

  private keep(line: Line): void {
    try {
      appendFileSync(this.file, `${JSON.stringify(line)}\n`);
    } catch (error) {
      throw new UserError(`--retrain ${this.file}: ${writeFault(this.file, error)}`);
    }
  }

  /** The number at the source of the last label up to that number. */
  private sourceNumber(number: number): number {
    return number - [...this.models.keys()].filter((model) => model <= number).length;
  }

  /** The number of the source's label. */
  private deliveredNumber(label: number): number {
    return [...this.models.keys()].reduce((number, model) => (model <= number ? number + 1 : number), label);
  }

  /** Labels wait as long as a model may come before them. */
  label(number: number): DueItem | undefined {
    const model = this.models.get(number);
    const last = Math.max(this.handed, this.answered + this.trainer.labelsUntilModel(0));
    if (model || number > last) return model;
    const label = this.supply.label(this.sourceNumber(number));
    if (label?.tag)
      throw new UserError(
        "--retrain: the source tags its labels with their numbers, and models take some; leave --retrain out",
      );
    if (label) this.handed = Math.max(this.handed, number);
    return label;
  }

  sample(seq: number): FedSample | undefined {
    const sample = this.supply.sample(seq);
    return sample && { ...sample, after: this.deliveredNumber(sample.after ?? 0) };
  }

  goOn(label: number, sample: number | null, spans: readonly Span[]): void {
    this.answered = label - 1;
    this.supply.goOn(this.sourceNumber(this.answered) + 1, sample, spans);
  }

  passed(label: number, seq: number): void {
    this.answered = label;
    this.supply.passed(this.sourceNumber(label), seq);
  }

  durable(number: number): void {
    this.supply.durable(this.sourceNumber(number));
  }

  get end(): SupplyEnd | undefined {
    const { end } = this.supply;
    return end && { ...end, labels: this.deliveredNumber(end.labels) };
  }
}

/** The whole lines of a file; none where there is no file. A line that was cut is discarded. */
function readLines(file: string): string[] {
  if (!existsSync(file)) return [];
  const text = readFileSync(file, "utf8");
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  if (whole.length < text.length) truncateSync(file, Buffer.byteLength(whole));
  return whole.split("\n").slice(0, -1);
}

/** The line as that text has it; undefined: it is none. */
function lineIn(text: string, { dimension }: ModelForm): Line | undefined {
  try {
    const line = parseFiniteJson(text) as Partial<Form & LearnedLabel & ModelPlace>;
    const { schema, model, number, y, x } = line;
    const isNumber = (value: unknown) => Number.isInteger(value) && (value as number) > 0;
    const isLearned = isNumber(number) && (y === -1 || y === 1) && Array.isArray(x) && x.length === dimension;
    if (schema === SCHEMA || isNumber(model) || isLearned) return line as Line;
  } catch (error) {
    if (!(error instanceof JsonError || error instanceof TypeError)) throw error;
  }
  return undefined;
}
