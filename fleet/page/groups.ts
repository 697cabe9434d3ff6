import { countText } from "../../host/count-text.ts";
import type { LearningGroup } from "../api/api.ts";
import type { GroupState, NodeState } from "../api/node-state.ts";
import type { App, View } from "./app.ts";
import { recentAccuracy } from "./condition.ts";
import { columnHead, h, nodeLink, renew, setChildren, setText, sureButton, table } from "./dom.ts";
import { groupTexts, judgeHelp, judgeText, modelText } from "./group-words.ts";
import { chips } from "./overview.ts";
import { percentText } from "./wording.ts";

const REFRESH_MS = 5000;

const HEAD = [
  ["Machine", ""],
  ["Helps the others", "whether its answers train the others' models"],
  ["Its model", "the model that it was sent last, and how it was made"],
  ["Judges now", "who made its last decision"],
  ["Right", "share of the last 100 answers that the node had given itself before it learned them"],
  ["Answers", "of this machine, that its group learns from"],
] as const;

class Member {
  readonly element: HTMLTableRowElement;
  private readonly cells = HEAD.slice(1).map(([label]) => h("td", { "data-label": label }));
  private readonly retrain: HTMLElement | undefined;

  constructor(app: App, name: string) {
    this.retrain = app.source.mayOperate ? retrainButton(app, name) : undefined;
    const last = this.retrain && h("td", this.retrain);
    this.element = h("tr", h("th", { scope: "row" }, nodeLink(name)), ...this.cells, last);
  }

  show(state: NodeState, group: GroupState): void {
    const [helps, model, judge, right, answers] = this.cells;
    renew(helps, ...helpElements(group));
    setText(model, modelText(group));
    setText(judge, state.prediction === undefined ? "–" : judgeText(group));
    setText(right, percentText(recentAccuracy(state)));
    setText(answers, String(group.labels ?? 0));
    if (this.retrain) this.retrain.hidden = group.why !== undefined;
  }
}

function helpElements(group: GroupState): HTMLElement[] {
  const { kind, text, why } = judgeHelp(group);
  if (!kind) return [h("span.muted", text)];
  return [...chips([{ kind, rank: 0, text }]), ...(why ? [h("div.muted", why)] : [])];
}

/** A button that has a machine get a model anew, with what came of it. */
function retrainButton({ source, name: by }: App, node: string): HTMLElement {
  const said = h("output.muted", { "aria-live": "polite" });
  const onclick = async () => {
    setText(said, "asking the gateway…");
    setText(said, await source.command(node, { do: "retrain", by }).catch(({ message }: Error) => message));
  };
  const title = "have the gateway train a model for this machine now";
  return h("span.retrain", h("button", { title, onclick }, "Retrain"), said);
}

/** A group: who helps whom, and its machines. */
class GroupSection {
  readonly element: HTMLElement;
  private readonly heading = h("h2");
  private readonly texts = h("div");
  private readonly body = h("tbody");
  private readonly members = new Map<string, Member>();
  private readonly on: HTMLElement;
  private readonly off: HTMLElement;
  private readonly said = h("output.muted", { "aria-live": "polite" });

  /** @param turn turns it on or off; resolves with why it can't. */
  constructor(
    private readonly app: App,
    turn: (on: boolean) => Promise<string>,
  ) {
    const act = async (on: boolean) => setText(this.said, await turn(on));
    const title = "have its machines get models again";
    this.on = h("button", { title, onclick: () => act(true) }, "Turn the group on");
    const question = "Sure? Its machines get no more models";
    this.off = sureButton("Turn the group off", question, "its machines keep the models that they have", () =>
      act(false),
    );
    const tools = app.source.mayOperate && h("p", this.on, this.off, this.said);
    const head = HEAD.map(([text, title]) => columnHead(text, title));
    const last = app.source.mayOperate && columnHead(h("span.hidden", "Commands"));
    const members = table([...head, last], this.body, { class: "nodes members" });
    this.element = h("section", this.heading, this.texts, h("div.wide", members), tools);
  }

  show(place: number, { nodes, on, labels }: LearningGroup, states: ReadonlyMap<string, NodeState>): void {
    const its = nodes.flatMap((name) => states.get(name) ?? []);
    const count = `${countText(nodes.length, "machine")}, ${countText(labels, "answer")}`;
    setText(this.heading, `Group ${place + 1}: ${count}`);
    renew(this.texts, ...groupTexts(its, on).map((text) => h("p", text)));
    this.on.hidden = on;
    this.off.hidden = !on;
    for (const state of its) if (state.together) this.findMember(state.name).show(state, state.together);
    setChildren(this.body, ...its.map(({ name }) => this.findMember(name).element));
  }

  private findMember(name: string): Member {
    const member = this.members.get(name) ?? new Member(this.app, name);
    this.members.set(name, member);
    return member;
  }
}

/** The groups of machines that learn together: who helps whom, who is left out, whose model judges. */
export class Groups implements View {
  readonly title = "Groups";
  readonly element: HTMLElement;
  private readonly heading = h("h1.summary", "Waiting for the gateway…");
  private readonly list = h("div");
  private readonly sections: GroupSection[] = [];
  private groups: readonly LearningGroup[] = [];
  private readonly timer = setInterval(() => void this.refresh(), REFRESH_MS);

  constructor(private readonly app: App) {
    const note =
      "The gateway trains models from the answers of all machines of a group that it trusts. A machine's own answers decide whether its model or its own learner judges.";
    this.element = h("div.groups-view", this.heading, this.list, h("p.key", note));
    app.source.watch([]);
    void this.refresh();
  }

  states(): void {
    const { app, groups, list, sections } = this;
    const states = new Map(app.source.states?.map((state) => [state.name, state]));
    groups.forEach((group, place) => {
      sections[place] ??= new GroupSection(app, (on) => this.turn(place, on));
      sections[place].show(place, group, states);
    });
    setChildren(list, ...sections.map(({ element }) => element));
  }

  close(): void {
    clearInterval(this.timer);
  }

  private async refresh(): Promise<void> {
    try {
      this.take((await this.app.source.groups?.()) ?? []);
    } catch {} // the head of the page says that the source is lost; this asks again
  }

  private take(groups: readonly LearningGroup[]): void {
    this.groups = groups;
    const machines = groups.reduce((sum, { nodes }) => sum + nodes.length, 0);
    const all = `${countText(machines, "machine")} in ${countText(groups.length, "group")} learn together`;
    setText(this.heading, groups.length === 0 ? "The fleet file has no groups" : all);
    this.states();
  }

  private async turn(place: number, on: boolean): Promise<string> {
    const { source, name } = this.app;
    try {
      this.take((await source.turnGroup?.(place, on, name)) ?? []);
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  }
}
