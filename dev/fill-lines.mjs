/** Columns of a generated line. */
const WIDTH = 110;

/** The items, divided by commas, in lines of at most `WIDTH` columns behind the indent. */
export function fillLines(indent, items) {
  const lines = [];
  for (const item of items) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + item.length + 3 <= WIDTH) lines.push(`${lines.pop()}, ${item}`);
    else lines.push(indent + item);
  }
  return lines.join(",\n");
}

/** `head(a, b)tail` in one line, or if that is too long the list in lines of its own; `indent` is the first line's. */
export function wrapList(indent, head, items, tail) {
  const line = `${indent}${head}(${items.join(", ")})${tail}`;
  return line.length <= WIDTH
    ? line
    : `${indent}${head}(\n${fillLines(`${indent}  `, items)},\n${indent})${tail}`;
}
