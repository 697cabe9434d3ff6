// In place of src/memory/frozen.js in a board's firmware: what only people or other engines read stays off the board, and of a
// table's records that say the same there is one. A table's slot takes 16 bytes of flash.
const LEFT_OUT = Object.freeze(["doc", "paper", "names", "letters", "sizes"]);

/** Whether it holds no other table. */
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

function lean(table, leaves) {
  if (typeof table !== "object" || table === null || Object.isFrozen(table)) return table;
  for (const name of LEFT_OUT) delete table[name];
  for (const key of Object.keys(table)) table[key] = lean(table[key], leaves);
  Object.freeze(table);
  if (!isLeaf(table)) return table;
  const known = leaves.find((leaf) => isSame(leaf, table));
  if (!known) leaves.push(table);
  return known ?? table;
}

export function frozen(table) {
  return lean(table, []);
}
