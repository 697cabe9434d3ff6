// Holds a firmware's modules to each other. Each is made small by itself, yet it hands objects of its classes to the others: a method
// that one leaves out, or moves into the place of its calls, may be called by another.
import ts from "typescript-5";
import { namesBy, parse } from "./syntax.ts";
import { isUse } from "./unused.ts";

/** Methods and accessors of a module's classes, as `Class.member`, and each class as `Class.` */
const membersIn = namesBy((node, found) => {
  if (!ts.isClassLike(node)) return;
  const name = (node.name ?? (node.parent as ts.VariableDeclaration).name)?.getText();
  found.add(`${name}.`);
  for (const member of node.members)
    if (ts.isMethodDeclaration(member) || ts.isAccessor(member))
      found.add(`${name}.${member.name.getText()}`);
});

/** Names of properties that a module takes from objects, by name or by a text. */
const namesTaken = namesBy((node, taken) => {
  if (ts.isIdentifier(node) && isUse(node)) taken.add(node.text);
  if (ts.isStringLiteralLike(node) && /^\w+$/.test(node.text)) taken.add(node.text);
});

/** What other modules need to know of one: members that it lost, and names that it takes from objects. */
export interface Edge {
  readonly name: string;
  readonly lost: readonly string[];
  readonly taken: ReadonlySet<string>;
}

/** What a module's text has and takes. */
interface Surface {
  readonly members: ReadonlySet<string>;
  readonly taken: ReadonlySet<string>;
}

export const readSurface = (text: string): Surface => ({
  members: membersIn(parse(text)),
  taken: namesTaken(parse(text)),
});

/**
 * What others need to know of a module that was `before` and became `after`, where members have other names if theirs are `renamed`: it lost
 * those that its classes lack or call by another name, not those of a class that nothing uses.
 */
export function compareSurfaces(
  name: string,
  before: Surface,
  after: string,
  renamed: ReadonlySet<string>,
): Edge {
  const kept = membersIn(parse(after));
  const lost = [...before.members].filter((one) => {
    const [of, member] = one.split(".");
    return kept.has(`${of}.`) && (!kept.has(one) || renamed.has(member));
  });
  return { name, lost, taken: before.taken };
}

/** Throws an Error if one of those modules, edges of one firmware, lost a member that another calls. */
export function holdTogether(edges: readonly Edge[]): void {
  for (const { name, lost } of edges)
    for (const other of edges) {
      if (other.name === name) continue;
      const called = lost.filter((one) => other.taken.has(one.split(".")[1]));
      if (called.length > 0)
        throw new Error(`${other.name} calls ${called.join(", ")}, which ${name} leaves out`);
    }
}
