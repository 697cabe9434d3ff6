import { h, setText } from "./dom.ts";

const SURE_MS = 4000;

/** A button that takes a second click. */
export function sureButton(text: string, question: string, title: string, run: () => void): HTMLElement {
  let end: ReturnType<typeof setTimeout> | undefined;
  const forget = () => {
    clearTimeout(end);
    end = undefined;
    setText(button, text);
  };
  const onclick = () => {
    if (end === undefined) {
      setText(button, question);
      end = setTimeout(forget, SURE_MS);
    } else {
      forget();
      run();
    }
  };
  const button = h("button", { title, onclick }, text);
  return button;
}
