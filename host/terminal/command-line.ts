/**
 * A word of a command line, in quotes where a shell would read it as another.
 *
 *     shellWord("press 2.csv") // "'press 2.csv'"
 */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A file's name as such a word, also where it begins with a hyphen, as an option does. */
export function fileWord(path: string): string {
  return shellWord(path.startsWith("-") ? `./${path}` : path);
}

/** A command of motelearn as typed in a shell, with a file: flags with a value, or `""`, but not those without. */
export function commandText(
  name: string,
  flags: readonly (readonly [flag: string, value: string | undefined])[],
  file?: string,
): string {
  const options = flags.flatMap(([flag, value]) =>
    value === undefined ? [] : [value === "" ? flag : `${flag} ${shellWord(value)}`],
  );
  return ["npx motelearn", name, ...(file === undefined ? [] : [fileWord(file)]), ...options].join(" ");
}

/** Flags of these names with their values, lists with commas between, for `commandText`. */
export function namedFlags<Name extends string>(
  values: { readonly [name in Name]?: { toString(): string } },
  names: readonly Name[],
): [flag: string, value: string | undefined][] {
  return names.map((name) => [`--${name}`, values[name]?.toString()]);
}
