import type { ExplainedDecision, ExplainedPart, ExplainedVote } from "../api/api.ts";
import type { App } from "./app.ts";
import { details, h, setText, table } from "./dom.ts";
import type { SampleName } from "./trace.ts";
import { clockText, type Decisions, decisionText, labelText, numberText } from "./wording.ts";

/** Parts listed; the sum of the others stands below. */
const PARTS_SHOWN = 40;
/** Inputs of the learner that are listed. */
const INPUTS_SHOWN = 40;
const COLUMNS = ["Of", "Part", "", "Weight", "Times", "Since sample", "Labelled", "By"];

/** Takes one decision of a node apart: the stored vectors, weights or members, what each gave to it, and whose label it came with. */
export class ExplainedView {
  readonly element: HTMLDetailsElement;
  private readonly field = h("input", { type: "number", min: 1, id: "explained", placeholder: "newest" });
  private readonly said = h("output", { "aria-live": "polite" });
  private readonly result = h("div");
  private asked = 0;
  /** True if the next decision is to be explained: none had come. */
  private awaits = false;

  /**
   * @param find the sample of that number; undefined: the one at the cursor, or the newest.
   * @param decisions what the node's decisions mean.
   */
  constructor(
    private readonly app: App,
    private readonly node: string,
    private readonly find: (seq: number | undefined) => SampleName | undefined,
    private readonly decisions: () => Decisions | undefined,
  ) {
    const form = h(
      "form",
      { onsubmit: (event: Event) => this.submit(event), novalidate: true },
      h("label", { for: "explained" }, "Sample "),
      this.field,
      h("button", { type: "submit", title: "the decision at the cursor, or the newest: X" }, "Explain"),
      this.said,
    );
    this.element = details("Explain a decision", { class: "explained" }, form, this.result);
  }

  /** Explains the decision on that sample; undefined: on the one at the cursor, or the newest. */
  show(chosen = this.find(undefined)): void {
    this.element.open = true;
    this.awaits = chosen === undefined;
    if (chosen) void this.ask(chosen);
    else setText(this.said, "waiting for a decision…");
  }

  /** The page got rows of the node. */
  rowsCame(): void {
    const chosen = this.awaits ? this.find(undefined) : undefined;
    if (chosen) this.show(chosen);
  }

  private submit(event: Event): void {
    event.preventDefault();
    const { value, valueAsNumber } = this.field;
    this.show(this.find(value === "" ? undefined : valueAsNumber));
  }

  private async ask({ sid, seq }: SampleName): Promise<void> {
    const asked = ++this.asked;
    this.field.value = String(seq);
    setText(this.said, "following the learner…");
    try {
      const explained = await this.app.source.explain?.(this.node, sid, seq);
      if (asked !== this.asked || !explained) return;
      setText(this.said, "");
      this.result.replaceChildren(...this.buildContent(explained));
      this.result.scrollIntoView({ block: "nearest" });
    } catch (error) {
      if (asked !== this.asked) return;
      this.result.replaceChildren();
      setText(this.said, (error as Error).message);
    }
  }

  private buildContent(explained: ExplainedDecision): HTMLElement[] {
    const { seq, time, learner, labels, copy, decision, sum, after, bits, vote } = explained;
    const judge = vote?.judge === "fleet" ? "The fleet's model" : learner;
    const parts = [...explained.parts].sort((a, b) => Math.abs(b.part) - Math.abs(a.part));
    const most = Math.abs(parts[0]?.part ?? 0) || 1;
    const rest = parts.slice(PARTS_SHOWN).reduce((total, { part }) => total + part, 0);
    const inputs = explained.inputs.map(({ name, value }) => `${name} ${numberText(value)}`);
    const more =
      parts.length > PARTS_SHOWN
        ? ` ${parts.length - PARTS_SHOWN} more parts come to ${numberText(rest)}.`
        : "";
    const elsewhere = vote?.judge === "fleet" ? "–" : copy === undefined ? "the start" : "before the copy";
    const then = after.map((step) => `, ${step}`).join("");
    const rows = parts.slice(0, PARTS_SHOWN).map((part) => this.partRow(part, most, elsewhere));
    return [
      h("h3", `Sample ${seq}, ${clockText(time)}: ${decisionText(decision, this.decisions())}`),
      h(
        "p",
        `${judge}, after label ${labels}${copy === undefined ? "" : `, from a copy after label ${copy}`}.${parts.length === 0 ? " It had stored nothing." : ""}`,
      ),
      ...(vote ? [h("p", voteText(vote, learner))] : []),
      h("div.wide", table(COLUMNS, h("tbody", ...rows))),
      h(
        "p.key",
        `Inputs: ${inputs.slice(0, INPUTS_SHOWN).join("; ")}${inputs.length > INPUTS_SHOWN ? "; …" : ""}.`,
      ),
      h(
        "p.key",
        `Sum of the parts ${numberText(sum)}${then}.${more} As float32 it is the decision that the node sent; bits ${bits}.`,
      ),
    ];
  }

  private partRow(
    { of, input, part, weight, by, from }: ExplainedPart,
    most: number,
    elsewhere: string,
  ): HTMLElement {
    const since = from
      ? `${from.node === undefined ? "" : `${from.node}, `}${from.seq}, ${clockText(from.time)}`
      : elsewhere;
    const labelled = from ? labelText(from.y, this.decisions()) : "–";
    const cells = [numberText(weight), numberText(by), since, labelled, from ? from.by || "–" : "–"];
    return h(
      "tr",
      h("th", { scope: "row" }, input ? `${of}: ${input}` : of),
      h("td.number", numberText(part)),
      h("td", { "aria-hidden": "true" }, renderBar(part / most)),
      ...cells.map((text) => h("td", text)),
    );
  }
}

function voteText({ judge, labels, own, fleet, model }: ExplainedVote, learner: string): string {
  const form = model.vectors === 0 ? "a plane" : `${model.vectors} vectors`;
  const trained = model.candidate === undefined ? "" : `, trained as “${model.candidate}”`;
  const erredText = (errors: number) => `erred on ${numberText(errors)}`;
  const [less, more] = judge === "fleet" ? [fleet, own] : [own, fleet];
  const judges = judge === "fleet" ? "the fleet's model judged" : "its own learner judged";
  return (
    `Of ${numberText(labels)} own labels, counted less the older they are, the fleet's model (${form}${trained}) ${erredText(fleet.errors)}, ` +
    `${learner} ${erredText(own.errors)}. With the lead that a node with few labels grants the model, ${judges}: ${numberText(less.against)} against ${numberText(more.against)}, and less wins.`
  );
}

/** A bar to the right or the left of the middle; `part` is -1..1. */
function renderBar(part: number): HTMLElement {
  const bar = h("span", { class: part < 0 ? "less" : "more" });
  bar.style.width = `${50 * Math.min(1, Math.abs(part))}%`;
  return h("span.part-bar", bar);
}
