/** Texts and classes that are listed one by one. */
const LISTED_MAX = 6;
export const CLASSES_LISTED = 12;

/** The first of several texts, and how many more there are. */
export function listedText(texts: readonly string[], between = "; ", most = LISTED_MAX): string {
  const more = texts.length - most;
  return `${texts.slice(0, most).join(between)}${more > 0 ? ` and ${more} more` : ""}`;
}
