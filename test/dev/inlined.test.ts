import { test } from "uvu";
import * as assert from "uvu/assert";
import { inlined } from "../../dev/firmware/inlined.ts";

/** What the module of that text says, in which `said` is called with it. */
function said(text: string): unknown {
  const found: unknown[] = [];
  new Function("said", text)((value: unknown) => found.push(value));
  return found;
}

const PRIVATE = ["sum", "scaled", "early", "first", "grow", "half", "open", "low", "both"];
const isOwn = (name: string) => PRIVATE.includes(name);

const CALLS: readonly (readonly [what: string, gone: string, text: string])[] = [
  [
    "a statement",
    "grow",
    "class A { n = 1; grow(by) { if (by < 0) return; this.n += by; } run(x) { this.grow(x * 2); this.n++; return this.n; } } const a = new A(); said([a.run(3), a.run(-1)]);",
  ],
  [
    "a return",
    "first",
    "class A { first(list) { for (const one of list) if (one > 2) return one; } run(x) { return this.first([x, 3]); } } said([new A().run(1), new A().run(5)]);",
  ],
  [
    "a return that isn't the end",
    "first",
    "class A { first(x) { said(x); } run(x) { if (x > 1) return this.first(x); return 7; } } said([new A().run(1), new A().run(5)]);",
  ],
  [
    "a declaration",
    "early",
    "class A { k = 3; early(x, y) { if (x > y) return this.k; const k = y - x; return k; } run(k) { const found = this.early(k, this.k); return [found, k]; } } said([new A().run(1), new A().run(5)]);",
  ],
  [
    "an assignment",
    "half",
    "class A { v = 9; half(x) { if (x > 3) return x / 2; if (x > 2) return; said(x); } run(x) { this.v = this.half(x); return this.v; } } said([6, 3, 1].map((x) => new A().run(x)));",
  ],
  [
    "a condition",
    "low",
    "class A { low(x) { let y = x; y++; return y < 3; } run(x) { if (!this.low(x)) return 1; else return 2; } } said([new A().run(1), new A().run(5)]);",
  ],
  [
    "another object's method",
    "scaled",
    "class B { k = 2; scaled(x) { const y = x * this.k; return y + this.k; } } class A { b = new B(); run(x) { const y = this.b.scaled(x); return y; } } said(new A().run(4));",
  ],
  [
    "a default",
    "open",
    "class A { open(x, y = 5) { let z = y; z += x; return z; } run(x, y) { const z = this.open(x, y); return z; } } said([new A().run(1), new A().run(1, 2)]);",
  ],
  [
    "a pattern",
    "both",
    "class A { both({ x, y = 4 }) { let z = x; z += y; return z; } run(x) { const z = this.both({ x }); return z; } } said([new A().run(1), new A().run(3)]);",
  ],
  [
    "a function of the module",
    "sum",
    "const sum = (a, b) => { let n = a; n += b; return n; };\nconst run = (b) => { const a = 1; const c = sum(b, a); return c; };\nsaid(run(3)); said(run(4));",
  ],
  [
    "an expression",
    "sum",
    "const sum = (a, b) => a + b;\nconst run = (x) => 2 * sum(x.y, 3);\nsaid(run({ y: 4 })); said(run({ y: 5 }));",
  ],
];

for (const [what, gone, text] of CALLS) {
  test(`a function stands in the place of its only call: ${what}`, () => {
    const made: string = inlined(text, isOwn);
    assert.equal(said(made), said(text));
    assert.not.match(made, new RegExp(`(?<![$\\w])${gone}(\\(| = \\()`));
  });
}

const KEPT: readonly (readonly [why: string, text: string])[] = [
  [
    "its value isn't always asked for before the rest",
    "const f = () => { said(1); return 2; };\nconst run = () => said(3) ?? f();\nrun();",
  ],
  [
    "the rest is evaluated before it",
    "class A { n = 1; sum() { this.n++; return this.n; } run() { const x = this.n + this.sum(); return x; } } said(new A().run());",
  ],
  [
    "an optional call might not happen",
    "const f = () => { said(1); return 2; };\nconst run = (x) => { const y = x?.z(f()); return y; };\nsaid(run()); said(run({ z: (n) => n }));",
  ],
  [
    "a default is of its own variables",
    "const f = (a, b = a) => { let n = a; n += b; return n; };\nconst run = (a) => { const c = f(a + 1); return c; };\nsaid(run(1));",
  ],
  [
    "it is C's",
    'const native = () => said;\nclass A { sum(x) { native("x").call(this, x); } run(x) { this.sum(x); } }\nnew A().run(3);',
  ],
  [
    "two classes have such a method",
    "class A { sum(x) { return x; } } class B { sum(x) { return -x; } } const run = (a) => { const b = a.sum(1); return b; };\nsaid([run(new A()), run(new B())]);",
  ],
  [
    "a variable hides what it takes",
    "const k = 5;\nconst f = (x) => { let y = k; y += x; return y; };\nconst run = (k) => { const z = f(k); return z; };\nsaid(run(1));",
  ],
];

for (const [why, text] of KEPT) {
  test(`a function stays where ${why}`, () => {
    const made: string = inlined(text, isOwn);
    assert.is(made, text);
  });
}

test.run();
