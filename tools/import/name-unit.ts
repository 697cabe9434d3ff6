import { isKnownUnit } from "../../host/streams/quantity.ts";

/** The unit in brackets behind a name, in parentheses behind a blank, or behind a comma before them. */
export function unitIn(name: string): string | undefined {
  const [, behindComma] = /, *(\S{1,8}) \([^)]{0,200}\)$/.exec(name) ?? [];
  if (behindComma !== undefined) return behindComma;
  const [, unit, inParentheses] =
    /(?:\[([^\]\d=][^\]=]{0,200})\]|\s\(([^)\d][^)]{0,200})\))$/.exec(name) ?? [];
  return unit ?? (inParentheses && isUnit(inParentheses) ? inParentheses : undefined);
}

/** True for what may be a unit: it is known, or short and without digits or a colon as of dates. */
const isUnit = (text: string) => isKnownUnit(text) || /^(?!.*(yy|hh|dd))[^\d:]{1,8}$/i.test(text);
