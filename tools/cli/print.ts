/** Prints a command's result for programs: JSON whose `schema` names its form and version. */
export function printJson<T extends { readonly schema: `motelearn.${string}/${number}` }>(result: T): void {
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
}

/** Prints a command's result for people. */
export function printText(text: string): void {
  process.stdout.write(`${text}\n`);
}
