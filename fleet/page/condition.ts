import { countText } from "../../host/count-text.ts";
import type { NodeState } from "../api/node-state.ts";

/** A node's condition; the worst has the highest rank. */
export interface Condition {
  readonly kind:
    | "trouble"
    | "silent"
    | "losing"
    | "differs"
    | "drifting"
    | "restarted"
    | "asking"
    | "apart"
    | "learning"
    | "unmet";
  readonly rank: number;
  readonly text: string;
}

const SILENT_MS = 10_000;
/** Time for which a drift, a restart or unusable labels are shown. */
const RECENT_MS = 10 * 60_000;

/** A node's problems, the worst first; "learning" if there are none. */
export function findConditions(state: NodeState, now: number): Condition[] {
  const { trouble, connected, when, asking, bits, node, together } = state;
  const recent = (at: number | undefined) => at !== undefined && now - at < RECENT_MS;
  const found: Condition[] = [];
  const say = (holds: boolean, kind: Condition["kind"], rank: number, text: string) => {
    if (holds) found.push({ kind, rank, text });
  };
  const silentMs = when.heard === undefined ? 0 : now - when.heard;
  say(trouble !== undefined, "trouble", 9, trouble ?? "");
  say(when.heard !== undefined && silentMs > SILENT_MS, "silent", 8, `silent for ${agoText(silentMs)}`);
  say(!connected && !trouble && when.heard === undefined, "unmet", 7, "not heard from yet");
  say(recent(when.lost), "losing", 6, "loses answers");
  say(bits?.verdict === "different bits", "differs", 5, "its arithmetic differs");
  say(recent(when.drifted), "drifting", 4, "readings have changed");
  say(recent(when.started), "restarted", 3, node?.crash ? `restarted: ${node.reset}` : "restarted");
  say(asking > 0, "asking", 2, `asks ${countText(asking, "question")}`);
  if (together?.isTrusted === false) say(true, "apart", 1, "left out of its group");
  else say(together?.isAlike === false, "apart", 1, "unlike its group");
  return found.length > 0 ? found : [{ kind: "learning", rank: 0, text: "fine" }];
}

/** The share of recent labels that the node had predicted; undefined: no labels, or a regression. */
export function recentAccuracy({ prequential }: NodeState): number | undefined {
  return prequential?.kind === "accuracy" ? prequential.recent?.value : undefined;
}

export function hasAlarm({ alarms = [] }: NodeState): boolean {
  return alarms.some(({ on }) => on);
}

/** True if the last that was heard of a node may no longer hold. */
export function isStale(conditions: readonly Condition[]): boolean {
  return conditions.some(({ kind }) => kind === "trouble" || kind === "silent");
}

/** Nodes whose accuracies differ by less stay in the order of their names: a table that jumps can't be read. */
const ACCURACY_STEP = 0.05;

/** Nodes by need of attention: those with an alarm, then by condition, then by accuracy in steps, then by name. */
export function worstFirst(states: readonly NodeState[], now: number): NodeState[] {
  const key = (state: NodeState) => ({
    state,
    alarms: Number(hasAlarm(state)),
    rank: findConditions(state, now)[0].rank,
    accuracy: Math.floor((recentAccuracy(state) ?? 1) / ACCURACY_STEP),
  });
  return states
    .map(key)
    .sort(
      (a, b) =>
        b.alarms - a.alarms ||
        b.rank - a.rank ||
        a.accuracy - b.accuracy ||
        a.state.name.localeCompare(b.state.name, "en", { numeric: true }),
    )
    .map(({ state }) => state);
}

const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1000],
] as const;

/** "12 s", "3 min". */
export function agoText(ms: number): string {
  const [unit, length] = UNITS.find(([, length]) => ms >= length) ?? UNITS[3];
  return `${Math.floor(Math.max(0, ms) / length)} ${unit}`;
}
