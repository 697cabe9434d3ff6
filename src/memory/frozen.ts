/**
 * Freezes a table and all that it holds, and returns it. Moddable's linker puts frozen tables of a module into flash. For each object
 * of a table that could change it reserves RAM, and warns.
 */
export function frozen<T>(table: T): T {
  if (typeof table !== "object" || table === null || Object.isFrozen(table)) return table;
  for (const value of Object.values(table)) frozen(value);
  return Object.freeze(table);
}
