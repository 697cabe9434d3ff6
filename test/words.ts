/** The words of a command line, divided by single blanks. A value stays part of its word, whatever it holds. */
export function words(texts: TemplateStringsArray, ...values: readonly (string | number)[]): string[] {
  const found = [""];
  texts.forEach((text, i) => {
    const [first, ...others] = text.split(" ");
    found[found.length - 1] += first;
    found.push(...others);
    if (i < values.length) found[found.length - 1] += values[i];
  });
  return found;
}
