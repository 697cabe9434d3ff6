/** An object that has a value for each name. */
export function byName<Name extends string, Value>(
  names: readonly Name[],
  value: (name: Name) => Value,
): { [name in Name]: Value } {
  return Object.fromEntries(names.map((name) => [name, value(name)])) as { [name in Name]: Value };
}
