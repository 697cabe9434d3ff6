import { groupBy } from "../../host/group-by.ts";
import { type LeftOut, Q15 } from "./candidates.ts";
import type { KnownRanges } from "./ranges.ts";
import type { ChoiceResult } from "./result.ts";
import { choiceName, FEWER, isFromFewer } from "./wording.ts";

/** Ranges that a line has room for. */
const RANGES = 8;

const SOURCES: { readonly [from in KnownRanges["from"]]: string } = {
  file: "what the features are in the file",
  node: "what a node takes that standardises",
  options: "what --options gives",
};

/** The ranges of learners with vectors of 16 bits. */
function rangeLines(result: ChoiceResult): string[] {
  if (!result.ranges) return [];
  const { ranges, from } = result.ranges;
  const shown = ranges.slice(0, RANGES).map(([least, largest]) => `${least}..${largest}`);
  const more = ranges.length > RANGES ? `, and ${ranges.length - RANGES} more in --json` : "";
  const each = ranges.length === 1 ? " each" : "";
  return [
    `q15: vectors of 16 bits, in a grid over ${SOURCES[from]}:${each} ${shown.join(", ")}${more}. A value outside counts as the end of its range`,
  ];
}

/** From where it ran. */
const placesText = (passes: number) =>
  passes === 1 ? "the file's beginning alone" : `${passes} places of the file`;

function fewerLines(result: ChoiceResult): string[] {
  const fewer = result.choices.filter((choice) => isFromFewer(choice, result));
  if (fewer.length === 0) return [];
  const from = [...new Set(fewer.map(({ passes }) => passes))].map(placesText).join(", or ");
  return [`${FEWER} ran from ${from}, those without it from ${placesText(result.choices[0].passes)}`];
}

/** The option that sizes it, if one does. */
function sizeText({ size = {} }: LeftOut): string {
  return Object.entries(size)
    .map(([option, value]) => `, ${option} ${value}`)
    .join("");
}

/** The learners that weren't tried; those of one reason in a line. */
function leftOutLines(leftOut: readonly LeftOut[]): string[] {
  return [...groupBy(leftOut, ({ why }) => why.split("; ")[0])].map(([reason, of]) => {
    const [first] = of;
    if (of.length === 1) return `left out: ${choiceName(first)}${sizeText(first)}: ${first.why}`;
    return `left out: ${[...new Set(of.map(({ learner }) => learner))].join(", ")}: ${reason}`;
  });
}

/** The limits of the figures. */
export function noteLines(result: ChoiceResult): string[] {
  const { choices, unmeasured, leftOut } = result;
  const beyond = [...new Set(choices.flatMap((each) => each.beyond.map((part) => part.split(" ")[0])))];
  const short = unmeasured.filter((name) => name.endsWith(`/${Q15}`));
  const others = unmeasured.filter((name) => !short.includes(name));
  return [
    ...fewerLines(result),
    ...rangeLines(result),
    ...(beyond.length > 0 ? [`~ reckoned beyond the sizes that were measured (${beyond.join(", ")})`] : []),
    ...(others.length > 0
      ? [`instructions not measured, they lie on no front against instructions: ${others.join(", ")}`]
      : []),
    ...(short.length > 0
      ? [`instructions not measured, smaller than with float32, which has them: ${short.join(", ")}`]
      : []),
    ...leftOutLines(leftOut),
  ];
}
