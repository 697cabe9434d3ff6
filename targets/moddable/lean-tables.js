// Smaller tables for a board's firmware: they omit properties that only people or other engines read, and those
// that their class has the same, and share equal records. A table's slot takes 16 bytes of flash.

/** Properties that no board reads. */
export const UNREAD = Object.freeze(["doc", "paper", "names", "letters", "sizes"]);

/** True if it holds no other table. */
function isLeaf(table) {
  return Object.values(table).every((value) => typeof value !== "object" && typeof value !== "function");
}

function isSame(one, other) {
  const keys = Object.keys(one);
  const names = Object.keys(other);
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === names.length &&
    keys.every((key, i) => names[i] === key && Object.is(one[key], other[key]))
  );
}

function lean(table, leaves, leftOut, open) {
  if (typeof table !== "object" || table === null || Object.isFrozen(table) || open.includes(table))
    return table;
  for (const name of leftOut) delete table[name];
  const inherited = Object.getPrototypeOf(table);
  for (const key of Object.keys(table))
    if (key in inherited && Object.is(inherited[key], table[key])) delete table[key];
  for (const key of Object.keys(table)) table[key] = lean(table[key], leaves, leftOut, open);
  Object.freeze(table);
  if (!isLeaf(table)) return table;
  const known = leaves.find((leaf) => isSame(leaf, table));
  if (!known) leaves.push(table);
  return known ?? table;
}

/** The table without the properties of those names, frozen; but for those in `open`, which stay as they are. */
export function leanTable(table, leftOut, open = []) {
  return lean(table, [], leftOut, open);
}
