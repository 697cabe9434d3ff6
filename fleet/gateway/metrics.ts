import { Gauge, Registry } from "prom-client";
import type { NodeState } from "../api/node-state.ts";

/** Why a node doesn't learn a label, by its counters. */
const LOSS_TEXTS: Readonly<Record<string, string>> = {
  refused: "the learner refused it",
  range: "it lies outside the node's range",
  expired: "its sample was discarded before",
  session: "it names another session",
  unknown: "its sample was never predicted",
  forged: "its tag is wrong",
};
const LOSSES = Object.keys(LOSS_TEXTS);

/** A model has a label's number: these are the labels alone. */
function less(numbers: number | undefined, models = 0): number | undefined {
  return numbers === undefined ? undefined : numbers - models;
}

/** Figures of each node: name, meaning, and value. */
const FIGURES: readonly (readonly [
  name: string,
  help: string,
  of: (state: NodeState) => number | undefined,
])[] = [
  [
    "motelearn_node_connected",
    "1 while the node is met and can be taught",
    ({ connected }) => Number(connected),
  ],
  ["motelearn_node_samples", "number of the node's last sample", ({ seq }) => seq],
  [
    "motelearn_node_labels_dealt_with",
    "labels that the node answered",
    ({ labelled, together }) => less(labelled, together?.models?.answered),
  ],
  [
    "motelearn_node_labels_durable",
    "labels that the node answered and keeps in a checkpoint",
    ({ durable, together }) => less(durable, together?.models?.durable),
  ],
  [
    "motelearn_node_labels_waiting",
    "labels that aren't in a checkpoint",
    ({ waiting, together }) => less(waiting, together?.models?.waiting),
  ],
  [
    "motelearn_node_models_dealt_with",
    "models of its group that the node answered",
    ({ together }) => together?.models?.answered,
  ],
  [
    "motelearn_node_models_durable",
    "models of its group that the node answered and keeps in a checkpoint",
    ({ together }) => together?.models?.durable,
  ],
  [
    "motelearn_node_models_waiting",
    "models of its group that aren't in a checkpoint",
    ({ together }) => together?.models?.waiting,
  ],
  ...LOSSES.map(
    (reason) =>
      [
        `motelearn_node_labels_${reason}`,
        `labels that the node didn't learn: ${LOSS_TEXTS[reason]}`,
        ({ statistics }: NodeState) => statistics?.[reason],
      ] as const,
  ),
  [
    "motelearn_node_alarms",
    "alarms of the node that are on",
    ({ alarms }) => alarms?.filter(({ on }) => on).length,
  ],
  ["motelearn_node_starts", "starts of the node since the gateway met it", ({ starts }) => starts],
  ["motelearn_node_link_losses", "how often the line was lost", ({ link }) => link?.losses],
  ["motelearn_node_bytes_received", "bytes from the node", ({ link }) => link?.bytes],
  ["motelearn_node_frames_damaged", "frames that came damaged", ({ link }) => link?.damaged],
  ["motelearn_node_frames_forged", "frames without the node's key", ({ link }) => link?.forged],
  ["motelearn_node_frames_dropped", "frames for which the node had no room", ({ dropped }) => dropped],
  [
    "motelearn_node_recent_accuracy",
    "accuracy on the last 100 labels, as the node predicted before it learned them",
    ({ prequential }) => (prequential?.kind === "accuracy" ? prequential.recent?.value : undefined),
  ],
  [
    "motelearn_node_recent_error",
    "mean absolute error on the last 100 labels, as the node predicted before it learned them",
    ({ prequential }) => (prequential?.kind === "error" ? prequential.recent?.value : undefined),
  ],
];

/** The nodes' figures in Prometheus' text format. Unknown values are left out. */
export async function metricsText(states: readonly NodeState[]): Promise<{ type: string; text: string }> {
  const registry = new Registry();
  for (const [name, help, of] of FIGURES) {
    const gauge = new Gauge({ name, help, labelNames: ["node"], registers: [registry] });
    for (const state of states) {
      const value = of(state);
      if (value !== undefined) gauge.set({ node: state.name }, value);
    }
  }
  return { type: registry.contentType, text: await registry.metrics() };
}
