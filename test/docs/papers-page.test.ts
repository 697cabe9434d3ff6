import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { keepMeasured, MEASURED_FILE, measuredText, readMeasured } from "../../dev/docs/papers/measured.ts";
import {
  namedExperiments,
  rowCells,
  withExperiments,
  withPublishedFigures,
} from "../../dev/docs/papers/write.ts";
import { EXPERIMENTS } from "../../lab/experiments/registry.ts";
import { FAMILIES, familyNamed } from "../../src/index.ts";
import { readPage } from "./pages.ts";

const PAGE = readPage("docs/papers.md");

test("the verdicts of docs/papers.md and the published figures of docs/results.md are what npm run build:papers writes", () => {
  const stale = (path: string) => `docs/${path} is stale: npm run build:papers writes it`;
  // Not `assert.is`: it would print a difference of hundreds of lines.
  assert.ok(readPage(MEASURED_FILE) === measuredText(readMeasured()), "a figure's form");
  assert.ok(withExperiments(PAGE, readMeasured()) === PAGE, stale("papers.md"));
  const results = readPage("docs/results.md");
  assert.ok(withPublishedFigures(results, readMeasured()) === results, stale("results.md"));
});

const ROMAN = ["I", "II", "III", "IV", "V"];

/** The numbers that an item names after a word, or in brackets: "Tables 3, 4" has 3 and 4, "Figures 7-9" 7, 8 and 9. */
function namedIn(item: string, kind: "equations" | "tables" | "figures"): number[] {
  const one = kind === "equations" ? "\\((\\d+)\\)" : "(\\d+|[IV]+)";
  const word = { equations: "", tables: "Tables? ", figures: "Figures? " }[kind];
  const list = new RegExp(`${word}((?:${one}(?:-|, )?)+)`, "g");
  const value = (text: string) => (ROMAN.includes(text) ? ROMAN.indexOf(text) + 1 : Number(text));
  return [...item.matchAll(list)].flatMap(([, found]) =>
    [...found.matchAll(new RegExp(`${one}(?:-${one})?`, "g"))].flatMap(([, from, to = from]) =>
      Array.from({ length: value(to) - value(from) + 1 }, (_, i) => value(from) + i),
    ),
  );
}

test("the numbers that an item names", () => {
  const named = (["equations", "tables", "figures"] as const).map((kind) =>
    namedIn("(8)-(11), (13), Table IV, Figures 1, 3-5", kind),
  );
  assert.equal(named, [[8, 9, 10, 11, 13], [4], [1, 3, 4, 5]]);
});

/** The papers' numbered equations, tables and figures. The paper on osKM has no equation (14). */
const NUMBERED = {
  OLK: { equations: from1(69), tables: 1, figures: 13 },
  QKRLS: { equations: from1(18), tables: 5, figures: 9 },
  LOL: { equations: from1(27), tables: 4, figures: 7 },
  osKM: { equations: from1(15).filter((i) => i !== 14), tables: 0, figures: 2 },
  "Forgetting dual ascent": { equations: from1(21), tables: 3, figures: 7 },
};

function from1(n: number): number[] {
  return Array.from({ length: n }, (_, i) => i + 1);
}

/** The rows of the table with that head in a part of the page. */
function rowsUnder(head: string, part: string): string[][] {
  const lines = part.split("\n");
  const from = lines.indexOf(head) + 2;
  assert.ok(from > 1, head);
  const to = lines.findIndex((line, i) => i >= from && !line.startsWith("| "));
  return lines.slice(from, to).map(rowCells);
}

const codeIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, named]) => named);

for (const [name, { equations, tables, figures }] of Object.entries(NUMBERED)) {
  const part = PAGE.split("\n## ").find((each) => each.startsWith(name)) as string;
  const items = rowsUnder("| item | what | file | test | experiment, verdict |", part);

  test(`${name}: every numbered equation, table and figure has a row, and no other number has one`, () => {
    for (const [kind, all] of [
      ["equations", equations],
      ["tables", from1(tables)],
      ["figures", from1(figures)],
    ] as const) {
      const named = [...new Set(items.flatMap(([item]) => namedIn(item, kind)))].sort((a, b) => a - b);
      assert.equal(named, all, kind);
    }
  });

  test(`${name}: every file, test, experiment and option that is named is there`, () => {
    for (const [item, , file, held, experiments] of items) {
      for (const path of codeIn(file)) assert.ok(existsSync(path), `${item}: ${path}`);
      if (held) checkTest(held, item);
      for (const id of namedExperiments(experiments))
        assert.ok(
          EXPERIMENTS.some((each) => each.id === id),
          `${item}: ${id}`,
        );
    }
    const errata = rowsUnder("| where | right | test |", part);
    for (const [item, , held] of errata) checkTest(held, item);
    for (const [symbol, option, learners] of rowsUnder("| symbol | option | of |", part))
      for (const learner of codeIn(learners)) {
        const { options = {} } = familyNamed(learner) ?? {};
        assert.ok(Object.hasOwn(options, codeIn(option)[0]), `${symbol}: ${learner} has no option ${option}`);
      }
    const data = rowsUnder("| the paper's data | here |", part);
    for (const named of [...data, ...errata].flatMap(([, text]) => codeIn(text))) {
      const folder = named.split("/")[0];
      const known =
        named === "--data" ||
        FAMILIES.some(({ options }) => Object.hasOwn(options, named)) ||
        EXPERIMENTS.some(({ files = [], optional = [] }) =>
          [...files, ...optional].some((file) => file.split("/")[0] === folder),
        );
      assert.ok(known, `${name}: ${named}`);
    }
  });

  test(`${name}: what the learners cite`, () => {
    const [, , citation] = part.split("\n");
    assert.ok(
      FAMILIES.some(({ paper }) => `${paper}.` === citation),
      citation,
    );
  });
}

/** "`FILE`: TITLE": a test whose title begins so, in that file of test/. */
function checkTest(held: string, item: string): void {
  const [, file, title] = /^`([^`]+)`: (.+)$/.exec(held) as RegExpExecArray;
  const path = join("test", file);
  assert.ok(existsSync(path), `${item}: ${path}`);
  const begins = ['"', "`"].map((quote) => `test(${quote}${title}`);
  const code = readFileSync(path, "utf8").replaceAll(/test\(\s+/g, "test(");
  assert.ok(
    begins.some((each) => code.includes(each)),
    `${item}: ${path} has no test that begins: ${title}`,
  );
}

test("every published experiment reruns an item of a paper, and none of this project's own does", () => {
  const rerun = [...PAGE.matchAll(/^\| .*`: .* \|$/gm)]
    .map(([line]) => rowCells(line))
    .filter(({ length }) => length === 5);
  const named = new Set(rerun.flatMap((cells) => namedExperiments(cells[4])));
  assert.equal(
    [...named].sort(),
    EXPERIMENTS.filter(({ ours }) => !ours)
      .map(({ id }) => id)
      .sort(),
  );
});

test("a verdict that changed is written into the page's last column", () => {
  const measured = readMeasured();
  const id = "lol-table-3-svmguide1";
  const changed = withExperiments(PAGE, { ...measured, [id]: { ...measured[id], outcome: "fails" } });
  assert.not(PAGE.includes(`\`${id}\`: doesn't hold`));
  assert.ok(changed.includes(`\`${id}\`: doesn't hold`));
  assert.ok(withExperiments(changed, measured) === PAGE, "and back");
});

test("figures are kept of every experiment, of no other, and of its rows alone", () => {
  const measured = readMeasured();
  assert.equal(Object.keys(measured).sort(), EXPERIMENTS.map(({ id }) => id).sort());
  for (const { id, rows } of EXPERIMENTS)
    for (const figure of Object.keys(measured[id].figures))
      assert.ok(
        rows.some(({ name }) => name === figure),
        `${id}: ${figure}`,
      );
});

test("of a result the verdicts and the figures of the tables are kept, to six digits", () => {
  const ours = { mean: 1 / 3, deviation: 1, runs: 2, low: null, high: 2 / 3 };
  const experiment = {
    ...{
      id: "a",
      paper: "A",
      ours: false,
      title: "",
      setup: "",
      runs: 2,
      planned: 2,
      figures: [],
      curves: {},
      numbers: {},
    },
    rows: [
      { name: "x", label: "x", ours },
      { name: "y", label: "y" },
    ],
    verdict: { outcome: "behind" as const, text: "words" },
  };
  assert.equal(keepMeasured({ experiments: [experiment] }), {
    a: {
      runs: 2,
      outcome: "behind",
      text: "words",
      figures: { x: { mean: 0.333333, low: null, high: 0.666667 } },
    },
  });
});

test.run();
