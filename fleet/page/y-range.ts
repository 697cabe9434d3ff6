import { h } from "./dom.ts";
import { numberText } from "./wording.ts";

/** The range of a Y axis: fitted to the view, or the user's own. */
export class YRange {
  /** A button that fits, and two fields. */
  readonly element: HTMLElement;
  private readonly low: HTMLInputElement;
  private readonly high: HTMLInputElement;
  private own = false;

  constructor(title: string, changed: () => void) {
    const field = (name: string) => {
      const oninput = () => {
        this.own = true;
        button.setAttribute("aria-pressed", "false");
        changed();
      };
      return h("input", { type: "number", step: "any", "aria-label": `${name} of ${title}`, oninput });
    };
    this.low = field("least Y");
    this.high = field("largest Y");
    const auto = () => {
      this.own = !this.own;
      button.setAttribute("aria-pressed", String(!this.own));
      changed();
    };
    const button = h(
      "button",
      { "aria-pressed": "true", title: "fit the scale to what is visible", onclick: auto },
      "Fit",
    );
    this.element = h("span.y-range", button, this.low, "to", this.high);
  }

  /** The range for values of the view from `least` to `most`; null: no values. */
  of(least: number | null, most: number | null): [number, number] {
    const [low, high] = [this.low.valueAsNumber, this.high.valueAsNumber];
    if (this.own && low < high) return [low, high];
    if (least === null || most === null || !Number.isFinite(least) || !Number.isFinite(most)) return [0, 1];
    const margin = 0.06 * (most - least) || Math.abs(most) * 0.1 || 1;
    const fit: [number, number] = [least - margin, most + margin];
    if (!this.own && document.activeElement !== this.low && document.activeElement !== this.high) {
      this.low.placeholder = numberText(fit[0]);
      this.high.placeholder = numberText(fit[1]);
    }
    return fit;
  }
}
