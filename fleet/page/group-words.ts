import type { GroupState, NodeState } from "../api/node-state.ts";
import type { Condition } from "./condition.ts";
import { percentText } from "./wording.ts";

/** Names that a sentence lists; of more, it counts the others. */
const NAMES_MAX = 6;

/** How the gateway makes a model, by its name. */
const MODELS: { readonly [candidate: string]: string } = {
  group: "the group's, for all alike",
  light: "the group's, slightly fitted to its own answers",
  medium: "the group's, fitted to its own answers",
  strong: "the group's, strongly fitted to its own answers",
  mirrored: "the group's with the classes swapped, by its own answers",
  own: "from its own answers alone",
};

/** Whether a node's answers train the others' models, and why not. */
interface Help {
  /** The condition as which it is shown; undefined: it is as it should be. */
  readonly kind?: Condition["kind"];
  readonly text: string;
  readonly why?: string;
}

export function judgeHelp({ why, labels = 0, isTrusted, error, limit }: GroupState): Help {
  if (isTrusted === false) {
    const told = `${percentText(error)} of its answers contradict the others' model; the limit is ${percentText(limit)}`;
    return { kind: "apart", text: "left out", why: told };
  }
  if (labels > 0) return { kind: "learning", text: "helps" };
  return { text: why === undefined ? "no answers yet" : "doesn't help" };
}

/** The model that a node got last, and how it was made; or why it gets none. */
export function modelText({ why, candidate, isAlike }: GroupState): string {
  if (candidate === undefined) return why === undefined ? "none yet" : `none: ${why}`;
  const reason = isAlike === false ? ", as they contradict the others' model" : "";
  const last = why === undefined ? "" : `; no newer one: ${why}`;
  return `${candidate}: ${MODELS[candidate]}${reason}${last}`;
}

export function judgeText({ judges }: GroupState): string {
  return judges ? "the fleet's model" : "its own learner";
}

/** Which nodes of a group help which, and which are left out and why: a sentence each. */
export function groupTexts(nodes: readonly NodeState[], isOn: boolean): string[] {
  if (!isOn) return ["The group is off: its machines get no models, and keep those that they have."];
  const findNames = (of: (group: GroupState) => boolean) =>
    nodes.flatMap(({ name, together }) => (together && of(together) ? [name] : []));
  const isOut = ({ isTrusted }: GroupState) => isTrusted === false;
  const hasAnswers = ({ labels = 0 }: GroupState) => labels > 0;
  const helpers = findNames((group) => hasAnswers(group) && !isOut(group));
  const helped = findNames((group) => !hasAnswers(group) && group.why === undefined);
  const out = findNames(isOut);
  const texts = [helpText(helpers, helped)];
  if (out.length === 1) texts.push(`${out[0]} is left out: its answers contradict the others' model.`);
  else if (out.length > 1)
    texts.push(`${listText(out)} are left out: their answers contradict the others' model.`);
  return texts;
}

function helpText(helpers: readonly string[], helped: readonly string[]): string {
  const which = `which ${helped.length === 1 ? "has" : "have"} no answers yet`;
  if (helpers.length === 0) return "No answers yet: the first ones will help all.";
  if (helpers.length > 1) {
    const others = helped.length > 0 ? `, and ${listText(helped)}, ${which}` : "";
    return `${listText(helpers)} help each other${others}.`;
  }
  if (helped.length > 0) return `${helpers[0]} helps ${listText(helped)}, ${which}.`;
  return `${helpers[0]} learns from its own answers alone, each several times.`;
}

/** "a, b and c". */
function listText(names: readonly string[]): string {
  if (names.length === 1) return names[0];
  const shown = names.length > NAMES_MAX ? NAMES_MAX - 1 : names.length - 1;
  const last = names.length > NAMES_MAX ? `${names.length - shown} more` : names[shown];
  return `${names.slice(0, shown).join(", ")} and ${last}`;
}
