import { test } from "uvu";
import * as assert from "uvu/assert";
import { withNumbers } from "../../dev/firmware/numbers.ts";
import { withArrows } from "../../dev/firmware/slim.ts";
import { said } from "./said.ts";

test("what a bundle makes of a constant is one again, and nothing else is", async () => {
  const text = "var A = [];\nvar B = class {\n};\nlet c;\nfunction f() {\n  var d = 2;\n}\n";
  assert.is(await withNumbers(text), text.replace("var A", "const A").replace("var B", "const B"));
});

test("functions of a module become arrow functions in front of all that runs; those with a this of their own, and constructors, stay", () => {
  const text = `said(sum(1, 2));
function sum(a, b = N) { return a + b; }
const N = 3;
async function later(a) { return (await a) + N; }
function own() { return this?.n; }
function any() { return arguments.length; }
function outer() { return [function () { return this?.n; }.call({ n: 5 }), (() => N)()]; }
function* some() { yield 1; }
function made() { return { n: 6 }; }
later(1).then(said);
said([own.call({ n: 4 }), any(1, 2), outer(), [...some()], new made()]);`;
  const made: string = withArrows(text);
  assert.equal(said(made), said(text));
  for (const name of ["sum", "later", "outer"])
    assert.match(made, new RegExp(`const ${name} = (async )?\\(`));
  for (const name of ["own", "any", "some", "made"])
    assert.match(made, new RegExp(`function\\*? ${name}\\(`));
  assert.ok(made.indexOf("const sum") < made.indexOf("said(sum"));
});

test("a module's constant that is a number stands where it is used, unless another has its name", async () => {
  const text = `const A = 5, B = -2, C = 7, D = "x", E = A + 1;
const T = Object.freeze({ n: 8, word: "y" });
const o = { A, b: { A: 3 } };
function f(C) { return [A - B, 2 - -B, C, D, E, T.n, T.word, o.A, o.b.A, \`\${A}\`]; }
class K { A = A; static B() { return B; } }
function all() { return [f(1), o, C, new K().A, K.B()]; }
`;
  const made: string = await withNumbers(text);
  assert.equal(said(`${made}said(all());`), said(`${text}said(all());`));
  assert.match(made, /\{ A: 5, b: \{ A: 3 \} \}/);
  assert.match(made, /return \[5 - \(-2\), 2 - -\(-2\), C, D, 6, 8, T\.word, o\.A, o\.b\.A, `\$\{5\}`\]/);
});

test.run();
