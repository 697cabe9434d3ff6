/**
 * The same table, it and all that it holds frozen. Moddable's linker puts a module's tables into flash; of one that
 * could change it keeps a place in RAM for each object, and warns.
 */
export function frozen<T>(table: T): T {
  if (typeof table !== "object" || table === null || Object.isFrozen(table)) return table;
  for (const value of Object.values(table)) frozen(value);
  return Object.freeze(table);
}
