/** A word of a command line, as a shell reads it. */
function word(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A command of motelearn as typed in a shell: flags with a value, or `""`, but not those without. */
export function commandText(
  name: string,
  flags: readonly (readonly [flag: string, value: string | undefined])[],
): string {
  const options = flags.flatMap(([flag, value]) =>
    value === undefined ? [] : [value === "" ? flag : `${flag} ${word(value)}`],
  );
  return ["npx motelearn", name, ...options].join(" ");
}
