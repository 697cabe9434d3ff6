/** The names of columns; one without a name is called by its number. */
export function nameFields(fields: readonly string[]): string[] {
  return fields.map((name, at) => name.trim() || `column ${at + 1}`);
}

/** The same with the unit of each. */
export function withUnits(names: readonly string[], units: readonly string[]): string[] {
  return nameFields(names).map((name, i) => (units[i] ? `${name} [${units[i]}]` : name));
}
