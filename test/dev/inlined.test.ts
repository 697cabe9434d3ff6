import { test } from "uvu";
import * as assert from "uvu/assert";
import { inlineCalls } from "../../dev/firmware/inlined.ts";
import { said } from "./said.ts";

const PRIVATE = ["sum", "scaled", "early", "first", "grow", "raised"];
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
    "a value that nothing asks for",
    "early",
    "class A { early(x) { if (x > 1) return said(x); return said(-x); } run(x) { this.early(x); said(7); } } new A().run(1); new A().run(5);",
  ],
  [
    "another object's method",
    "scaled",
    "class B { k = 2; scaled(x) { const y = x * this.k; return y + this.k; } } class A { b = new B(); run(x) { return this.b.scaled(x); } } said(new A().run(4));",
  ],
  [
    "a parameter that it writes, and one without an argument",
    "raised",
    "class A { raised(x, y) { x++; said(y); return x; } run(x) { return this.raised(x); } } said([new A().run(1), new A().run(5)]);",
  ],
  [
    "a function of the module",
    "sum",
    "const sum = (a, b) => { let n = a; n += b; said(n); };\nconst run = (b) => { const a = 1; sum(b, a); return a; };\nsaid(run(3)); said(run(4));",
  ],
];

for (const [what, gone, text] of CALLS) {
  test(`a function stands in the place of its only call: ${what}`, () => {
    const made: string = inlineCalls(text, isOwn);
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
    "its call is a part of an expression",
    "class A { n = 1; sum() { this.n++; return this.n; } run() { return this.n + this.sum(); } } said(new A().run());",
  ],
  [
    "an optional call might not happen",
    "class A { first(x) { said(x); } run(x) { x?.first(1); } } new A().run(); new A().run(new A());",
  ],
  [
    "a parameter has a default",
    "const f = (a, b = a) => { let n = a; n += b; said(n); };\nconst run = (a) => { f(a + 1); };\nrun(1);",
  ],
  [
    "it is C's",
    'const native = () => said;\nclass A { sum(x) { native("x").call(this, x); } run(x) { this.sum(x); } }\nnew A().run(3);',
  ],
  [
    "two classes have such a method",
    "class A { sum(x) { return said(x); } } class B { sum(x) { return said(-x); } } const run = (a) => { a.sum(1); };\nrun(new A()); run(new B());",
  ],
  [
    "a variable hides what it takes",
    "const k = 5;\nconst f = (x) => { let y = k; y += x; said(y); };\nconst run = (k) => { f(k); };\nrun(1);",
  ],
];

for (const [why, text] of KEPT) {
  test(`a function stays where ${why}`, () => {
    const made: string = inlineCalls(text, isOwn);
    assert.is(made, text);
  });
}

test.run();
