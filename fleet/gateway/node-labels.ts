import { noteWords } from "../../src/learn/learner.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { ANSWERS } from "../../src/node/answers.ts";
import { LABEL_STATUS, type Label, type LabelStatus } from "../../src/node/ports.ts";
import { type Install, installTag } from "../../src/peer/install.ts";
import type { LabelSource } from "../../src/peer/labels.ts";
import type { Peer } from "../../src/peer/peer.ts";
import type { NodePosition } from "../../src/peer/position.ts";
import { LabelTag } from "../../src/wire/label-tag.ts";
import type { Message } from "../../src/wire/messages.ts";
import type { NodeDescription } from "../../tools/session/description.ts";
import type { Hello } from "../../tools/session/hello.ts";
import { PASSING, statusText } from "../../tools/session/label-status.ts";
import { Interrupted } from "../../tools/session/waits.ts";
import type { ModelCounts } from "../api/node-state.ts";
import { PendingRequests } from "../api/pending-requests.ts";
import type { SharedLabels } from "../cluster/shared-labels.ts";
import type { Reach } from "../intake/label-intake.ts";
import type { FleetStore } from "../store/fleet-store.ts";
import { type GivenLabel, MODELS, type StoredLabel } from "../store/label-rows.ts";
import type { KeptModel } from "../store/lesson-rows.ts";
import type { NodeInGroup } from "../training/node-in-group.ts";
import type { FleetNode } from "./fleet.ts";
import type { Live } from "./live.ts";
import type { Level } from "./log.ts";

/** The database's key for the last label of a copy that is being restored. */
const COPY = "restore";

/** Seconds in which it asks for missing answers: a node that started since it gave them doesn't know them. */
const ASKS_MAX = 30;

/** Answers that mean a lost label: the node learned nothing from it. */
const LOST: readonly number[] = [
  LABEL_STATUS.expired,
  LABEL_STATUS.session,
  LABEL_STATUS.unknown,
  LABEL_STATUS.refused,
  LABEL_STATUS.range,
  LABEL_STATUS.forged,
];

/** A model in a label's place, the `seq`-th of the node. */
interface SentModel extends Install {
  readonly sid: typeof MODELS;
  readonly seq: number;
}

/** What a node's labels need of its line. */
export interface LabelPorts {
  /** Undefined until the node was met. */
  readonly position: NodePosition | undefined;
  /** Labels wait: their turn comes soon. */
  hasten(): void;
  /** Logs what happens to labels. */
  say(event: string, text: string, level?: Level): void;
}

/** A node's labels: from the store to the node, until a checkpoint holds them, and the node's answers back to the store. */
export class NodeLabels implements LabelSource {
  /** Samples for which the node asks labels. */
  readonly asked = new PendingRequests();
  /** The node in its group; undefined: it learns alone. Set before the node is met. */
  group: NodeInGroup | undefined;
  private readonly sent = new Map<number, Label | SentModel>();
  private readonly tag: LabelTag | undefined;
  /** What the node's answers since its start show of the label key. */
  private key: "untested" | "right" | "wrong" = "untested";
  /** The last label up to which no answer is missing, or none will come; and how often it asked for those after it. */
  private answeredTo = 0;
  private asks = 0;
  /** The last sample whose prediction came. */
  private last: Reach | undefined;
  /** True if decisions depend on which labels came before which sample, by the learner or by the models of a group: then that is kept. */
  private takesNotes = false;
  /** True while this gateway has the node restore a copy. */
  private isRestoring = false;

  constructor(
    private readonly node: FleetNode,
    private readonly store: FleetStore,
    private readonly live: Live,
    private readonly line: LabelPorts,
    /** Where gateways share the fleet. */
    private readonly shared?: SharedLabels,
  ) {
    this.tag = node.labelKey && new LabelTag(node.labelKey);
  }

  /** Labels that aren't in a checkpoint yet. */
  get count(): number {
    return this.sent.size;
  }

  /** How many models of its group the node has answered, keeps in a checkpoint, and has still to; undefined: it is in no group. */
  modelsAt(labelled = 0, durable = 0): ModelCounts | undefined {
    if (!this.group) return undefined;
    const { labels } = this.store;
    const [answered, kept] = [labelled, durable].map((number) => labels.modelsUntil(this.name, number));
    const waiting = [...this.sent.values()].filter((each) => "model" in each).length;
    return { answered, durable: kept, waiting };
  }

  /** Why it takes no label now; undefined: it takes labels. */
  get full(): string | undefined {
    return this.shared?.full ? "too many labels wait for the node; try again when it took some" : undefined;
  }

  private get name(): string {
    return this.node.name;
  }

  private get labelled(): number | undefined {
    return this.line.position?.labelled;
  }

  /** True if the node refused that label, so that another one may come for its sample. A cluster's log keeps its number until it is durable. */
  isCorrectable({ status, durable }: StoredLabel): boolean {
    return status !== undefined && LOST.includes(status) && (durable || !this.shared);
  }

  /** Takes a label; it is on disk once the store commits, and `sendCommitted` then sends it. */
  give(label: GivenLabel): void {
    this.store.labels.add(this.name, label);
    this.asked.labelled(label.sid, label.seq);
    const { sid, seq, y, by } = label;
    this.live.label({ node: this.name, time: Date.now(), sid, seq, y, by });
    this.number();
  }

  /** Takes a model in a label's place; it is on disk once the store commits, and `sendCommitted` then sends it. */
  install(model: KeptModel): void {
    this.store.lessons.install(this.name, model);
    this.number();
  }

  private number(): void {
    // Also while the line is cut: it may come back without a restart of the node, and then nothing else numbers the label.
    const { labelled, shared } = this;
    if (labelled !== undefined && !shared) this.store.labels.number(this.name, labelled);
  }

  /** Labels are on disk: sends them, in a cluster once its log has them. Rejects with NodeGone. */
  sendCommitted(): Promise<void> | undefined {
    const { shared } = this;
    if (shared) return shared.write(() => this.labelled).then(() => this.teachNow());
    this.teachNow();
    return undefined;
  }

  private teachNow(): void {
    this.teach();
    this.line.hasten();
  }

  /** Sends what the store has committed. */
  private teach(): void {
    if (this.shared?.renumbering) return;
    for (const { number, sid, seq, y, source, confidence } of this.store.labels.waiting(this.name)) {
      if (this.sent.has(number)) continue;
      if (sid === MODELS) this.sent.set(number, this.modelAt(number, seq));
      else this.sent.set(number, this.addTag({ number, sid, seq, y, source, confidence }));
    }
  }

  private modelAt(number: number, seq: number): SentModel {
    if (number > (this.labelled ?? 0)) this.group?.installing(number);
    return { number, sid: MODELS, seq, model: this.store.lessons.readModel(this.name, seq).bytes };
  }

  /** A model with its tag, which is of the node's session; undefined: that isn't known yet. */
  private taggedModel(item: SentModel): SentModel | undefined {
    const { tag } = this;
    const { position } = this.line;
    if (!tag || item.tag) return item;
    if (!position) return undefined;
    const tagged = { ...item, tag: installTag(tag, item, position.sid) };
    this.sent.set(item.number, tagged);
    return tagged;
  }

  private addTag(label: Required<Omit<Label, "tag">>): Label {
    const { tag } = this;
    const known = this.store.labels.readTag(this.name, label.sid, label.seq);
    if (known) return { ...label, tag: known };
    if (!tag) return label;
    tag.compute(label);
    return { ...label, tag: [tag.low, tag.high] };
  }

  at(number: number): Label | Install | undefined {
    if (this.group?.allows(number, this.labelled ?? 0) === false) return undefined;
    const item = this.sent.get(number);
    return item && "model" in item ? this.taggedModel(item) : item;
  }

  durable(number: number): void {
    this.store.labels.durable(this.name, number);
    for (const held of this.sent.keys()) if (held <= number) this.sent.delete(held);
  }

  /** The node reports its position. If it lost its checkpoint, labels that aren't durable get new numbers. */
  restart(labelled: number): void {
    const { store, name, shared } = this;
    this.group?.started(labelled);
    this.sent.clear();
    this.key = "untested";
    this.answeredTo = this.asks = 0;
    const durable = store.labels.readDurable(name);
    const isAhead = labelled === this.ahead;
    // The gateway before this one ended while it restored a copy: now it is known whether the node has it.
    if (!this.isRestoring && this.ahead !== undefined) this.ahead = undefined;
    if (labelled < durable || isAhead) {
      if (!isAhead)
        this.line.say("state-lost", `resumes after label ${labelled}, and had ${durable} in a checkpoint`);
      this.renumber(labelled);
    } else {
      store.labels.unanswer(name, labelled);
      if (!shared) {
        store.labels.closeGaps(name, labelled);
        store.labels.number(name, labelled);
      }
    }
    store.commitLabels();
    if (!shared) this.teach();
    else {
      const processedUpTo = () => Math.max(labelled, this.labelled ?? 0);
      // If another gateway took the node, that one teaches it.
      shared.write(processedUpTo).then(
        () => this.teach(),
        () => {},
      );
    }
  }

  private renumber(labelled: number): void {
    const { store, name, shared } = this;
    this.group?.lostState();
    if (shared) {
      shared.renumber(labelled);
      return;
    }
    store.labels.renumber(name, labelled);
    store.labels.confirm(name, labelled);
  }

  /** The last label of a copy that is being restored, if the node is behind it: the copy counts other labels than the store. */
  private get ahead(): number | undefined {
    const kept = this.store.labels.readPlace(this.name, COPY);
    return kept ? Number(kept) : undefined;
  }

  private set ahead(labelled: number | undefined) {
    this.store.labels.keepPlace(this.name, COPY, String(labelled ?? ""));
  }

  /**
   * Has the node resume from a copy of its memory, up to label `labelled`, by `restore`. That is on disk before: the node may have the copy
   * though the gateway ends.
   */
  async whileAhead<T>(labelled: number, restore: () => Promise<T>): Promise<T> {
    this.ahead = labelled > (this.labelled ?? 0) ? labelled : undefined;
    this.store.commit();
    this.isRestoring = true;
    let isOver = true;
    try {
      return await restore();
    } catch (error) {
      isOver = !(error instanceof Interrupted);
      throw error;
    } finally {
      this.isRestoring = false;
      if (isOver) this.ahead = undefined;
    }
  }

  started(hello: Hello): void {
    this.last = undefined;
    this.takesNotes = this.group !== undefined || takesNotes(hello);
  }

  /** The node said what it is, or that it doesn't say. */
  described(hello: Hello, description: NodeDescription | null | undefined): void {
    this.group?.described(hello, description, this.node.state !== undefined);
  }

  predicted(sample: Reach): void {
    this.last = sample;
  }

  /** Asks the node for answers and features that were lost on their way, or with a gateway before they were on disk. */
  askForAnswers(peer: Peer): void {
    this.group?.ask(peer);
    const { labelled } = peer.node;
    if (labelled === this.answeredTo || peer.ungrantedSince !== undefined) return;
    const from = Math.max(this.answeredTo, labelled - ANSWERS);
    if (this.store.labels.lacksAnswer(this.name, from, labelled) && ++this.asks <= ASKS_MAX)
      peer.request("answers");
    else {
      this.answeredTo = labelled;
      this.asks = 0;
    }
  }

  /** Takes the node's answer to a label. Returns whether the label is lost, which is logged. */
  answered(answer: Message<"acknowledgement">): boolean {
    const { number, status } = answer;
    const label = this.sent.get(number);
    const isCurrent = answer.boot === this.line.position?.boot;
    if (isCurrent && label && "model" in label) return this.installed(label, answer);
    if (isCurrent) this.group?.answered(number, status, false);
    const isLost = isCurrent && this.settles(answer);
    const sample = label ? `sample ${label.seq}, ` : "";
    if (isLost && status !== LABEL_STATUS.forged)
      this.line.say("label-refused", `label ${number}, ${sample}${statusText(status)}`);
    return isLost;
  }

  /** The node answered a model. No label is lost by that. */
  private installed({ number, seq, model }: SentModel, answer: Message<"acknowledgement">): boolean {
    const { status } = answer;
    const { labels } = this.store;
    const labelled = this.labelled ?? 0;
    const isNew = number > labelled;
    if (status === LABEL_STATUS.forged) {
      labels.withdraw(this.name, { sid: MODELS, seq }, labelled);
      this.sent.clear();
    } else this.settles(answer);
    if (isNew && status === LABEL_STATUS.applied)
      this.line.say("model", `has model ${seq} of its group, ${model.length} bytes`, "info");
    if (isNew && status === LABEL_STATUS.refused) this.line.say("model", `refuses model ${seq} of its group`);
    this.group?.answered(number, status, true);
    this.teach();
    return false;
  }

  private settles({ number, status }: Message<"acknowledgement">): boolean {
    const position = this.line.position as NodePosition;
    const { store, name, live } = this;
    if (number <= position.labelled && status !== LABEL_STATUS.forged)
      return this.answeredAgain(number, status as LabelStatus);
    store.labels.storeAnswer(name, number, status as 0);
    const label = this.sent.get(number);
    if (label && !PASSING.includes(status)) {
      const { sid, seq } = label;
      live.answer({ node: name, sid, seq, status });
      if (this.takesNotes && this.last) store.labels.answeredAfter(name, { sid, seq }, this.last);
    }
    if (label && number > position.labelled) this.testKey(status);
    return LOST.includes(status);
  }

  /**
   * Of a node that took no label of this gateway since its start, a wrong tag means another label key. Afterwards it means that somebody
   * forges labels, which the node's statistics count.
   */
  private testKey(status: number): void {
    const isForged = status === LABEL_STATUS.forged;
    if (isForged && this.key === "untested") {
      const why = `refuses the tags of these labels: nodes.${this.name}.labelKey isn't its label key`;
      this.line.say("forged", why, "error");
    }
    this.key = isForged && this.key !== "right" ? "wrong" : "right";
  }

  /** A message that came before shows that the node has processed the label: the answer is repeated. */
  private answeredAgain(number: number, status: LabelStatus): boolean {
    if (PASSING.includes(status)) return false;
    const sample = this.store.labels.answeredAgain(this.name, number, status);
    if (!sample) return false;
    this.live.answer({ node: this.name, ...sample, status });
    return LOST.includes(status);
  }
}

/** True if the node's learner takes notes of samples; of one that needs options besides the dimension that isn't known. */
function takesNotes({ learner, dimension }: Hello): boolean {
  try {
    const layout = familyNamed(learner)?.layout({ dimension });
    return layout !== undefined && noteWords(layout) > 0;
  } catch {
    return false;
  }
}
