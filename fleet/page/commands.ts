import type { Command } from "../api/command-request.ts";
import type { App } from "./app.ts";
import { details, h, setText, sureButton } from "./dom.ts";
import type { Source } from "./source.ts";
import { dateText } from "./wording.ts";

/** Buttons for a checkpoint, a rollback, and options that may change while the node runs. */
export function renderCommands(app: App, node: string): HTMLElement {
  const { source } = app;
  const said = h("output", { "aria-live": "polite" });
  const run = async (command: Omit<Command, "by">) => {
    setText(said, "asking the node…");
    try {
      setText(said, await source.command(node, { ...command, by: app.name }));
      if (command.do === "copy") await list();
    } catch (error) {
      setText(said, (error as Error).message);
    }
  };
  const copies = h("ul.copies");
  const list = async () =>
    copies.replaceChildren(...(await renderCopies(source, node, (copy) => run({ do: "restore", copy }))));
  const button = (text: string, title: string, onclick: () => void) => h("button", { title, onclick }, text);
  const field = (name: string, title: string) =>
    h("input", { type: "number", min: 0, "aria-label": name, title });
  const every = field("labels between two checkpoints", "0: only when asked");
  const statistics = field("milliseconds between two statistics", "at least 100");
  const inputValue = ({ value, valueAsNumber }: HTMLInputElement) =>
    value === "" ? undefined : valueAsNumber;
  const configure = () =>
    run({ do: "configure", checkpointEvery: inputValue(every), statisticsMs: inputValue(statistics) });
  const retrain = button("Retrain", "have the gateway train a model for this machine now", () =>
    run({ do: "retrain" }),
  );
  const commands = details(
    "Commands",
    h(
      "div.commands",
      button("Save now", "have the node save what it learned, as a checkpoint", () =>
        run({ do: "checkpoint" }),
      ),
      sureButton(
        "Roll back",
        "Sure? The node loses what it learned since",
        "have the node go back to what it had saved before its newest checkpoint",
        () => run({ do: "rollback" }),
      ),
      source.copies &&
        button("Keep a copy", "have the gateway copy the node's memory", () => run({ do: "copy" })),
      retrain,
      h("label", "save every ", every, " answers"),
      h("label", "report every ", statistics, " ms"),
      button("Configure", "give the node these options", configure),
      said,
      copies,
    ),
  );
  commands.addEventListener("toggle", () => {
    if (!commands.open) return;
    const learnsTogether = source.states?.some(({ name, together }) => name === node && together);
    retrain.hidden = !learnsTogether || !source.mayOperate;
    list().catch(() => {}); // who may not look at copies has none
    source
      .configuration(node)
      .then(({ checkpointEvery, statisticsMs }) => {
        every.placeholder = String(checkpointEvery);
        statistics.placeholder = String(statisticsMs);
      })
      .catch((error: Error) => setText(said, error.message));
  });
  return commands;
}

/** The copies of the node's memory that are kept, each a file to be had. The node can resume from a whole one. */
async function renderCopies(
  source: Source,
  node: string,
  restore: (id: number) => void,
): Promise<HTMLElement[]> {
  const copies = (await source.copies?.(node)) ?? [];
  return copies.map(({ id, time, seq, labelled, hash, whole, checkpoint }) => {
    const title = `learner's hash ${hash}${whole ? "" : "; samples changed the rest while it was read"}`;
    const link = h(
      "a",
      { href: source.copyAddress?.(node, id) ?? "", download: true, title },
      `copy of ${dateText(time)}`,
    );
    const back = "have the node resume from this copy; a rollback undoes it";
    return h(
      "li",
      link,
      ` after sample ${seq}, answer ${labelled} `,
      whole &&
        checkpoint !== null &&
        sureButton("Restore", "Sure? The node loses what it learned since the copy", back, () => restore(id)),
    );
  });
}
