import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import stringWidth from "string-width";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { ROLES } from "../../fleet/access/access.ts";
import { FLEET_SCHEMA } from "../../fleet/gateway/fleet-schema.ts";
import { printable, printableJson, printableLines } from "../../host/printable.ts";
import { html } from "../../host/report/html.ts";
import { table } from "../../host/terminal/table.ts";
import { textTable } from "../../host-sim/report/text-table.ts";
import { runHere } from "../cli/program.ts";
import { makeFolder, writerTo } from "../folder.ts";

/** Words of many scripts: with umlauts, wide, from right to left, of combined marks, with a joiner, and beyond the first plane. */
const WORDS = [
  "läuft",
  "停止",
  "정상",
  "عطل",
  "תקלה",
  "कम्पन",
  "می‌شود",
  "ทำงาน",
  "Störung",
  "сбой",
  "βλάβη",
  "👩‍🔧",
  "𝒳",
];

test("letters and signs of any script are printed as they are, in texts, JSON and pages", () => {
  for (const word of WORDS) {
    assert.is(printable(word), word);
    assert.is(printableLines(`${word}\n${word}`), `${word}\n${word}`);
    assert.is(printableJson({ [word]: word }), `{"${word}":"${word}"}`);
    assert.is(String(html`${word}`), word);
  }
});

test("controls, turns of direction, ends of lines and half surrogate pairs are escaped, each that there is", () => {
  const turns = [
    0x61c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069,
  ];
  const controls = [
    ...Array.from({ length: 32 }, (_, c) => c),
    ...Array.from({ length: 33 }, (_, c) => 0x7f + c),
  ];
  for (const code of [...controls, ...turns, 0x2028, 0x2029, 0xd800, 0xdbff, 0xdc00, 0xdfff]) {
    const text = `a${String.fromCharCode(code)}b`;
    const escaped =
      code === 10
        ? "\\n"
        : code < 256
          ? `\\x${code.toString(16).padStart(2, "0")}`
          : `\\u{${code.toString(16)}}`;
    assert.is(printable(text), `a${escaped}b`);
    assert.is(printableLines(text), code === 10 ? text : `a${escaped}b`);
    assert.is(String(html`${text}`), `a${escaped}b`);
    const json = printableJson([text], 2);
    assert.not.ok(json.includes(String.fromCharCode(code)) && code !== 10);
    assert.equal(JSON.parse(json), [text]);
  }
});

/** The columns of a terminal at which the last word of each line begins. */
function lastColumns(text: string): number[] {
  return text.split("\n").map((line) => stringWidth(line.slice(0, line.lastIndexOf(" "))));
}

test("columns of tables stand under one another, however wide the letters are on a terminal", () => {
  const rows = ["läuft", "停止", "정상", "a", "ｶﾅ"].map((word) => [word, "x"]);
  assert.is(new Set(lastColumns(table(rows))).size, 1);
  const columns = [{ group: "群組", head: "停止" }];
  const named = rows.map(([name]) => ({ name, cells: ["9.9"] }));
  const lines = textTable(columns, named, 80).split("\n").slice(3);
  assert.is(lines.length, rows.length);
  assert.is(new Set(lines.map((line) => stringWidth(line))).size, 1, lines.join("\n"));
});

const folder = makeFolder();
const written = writerTo(folder);

test("classes and nodes keep their names in evaluate, simulate, its report and its table", async () => {
  const rows = Array.from({ length: 60 }, (_, t) => `${t % 3},${t % 2},${t % 2 ? "停止" : "läuft"}`);
  const train = written("测量.csv", `a,b,label\n${rows.join("\n")}\n`);
  const { stdout } = await runHere(["evaluate", "--learner", "pa", "--train", train]);
  for (const word of ["停止", "läuft", "测量.csv"]) assert.ok(stdout.includes(word), `${word}: ${stdout}`);
  const scenario = written(
    "szenario.json",
    JSON.stringify({
      schema: "motelearn.scenario/1",
      title: "Störungen",
      stream: { type: "files", files: [{ node: "ポンプ", path: train }] },
      tasks: [{ name: "zustand-läuft", task: "classification", learners: [{ learner: "pa" }] }],
    }),
  );
  const csv = join(folder, "out.csv");
  const simulated = await runHere(["simulate", scenario, "--report", folder, "--csv", csv]);
  assert.is(simulated.code, 0, simulated.stderr);
  const [page] = readdirSync(folder).filter((name) => name.endsWith(".html"));
  const texts = [simulated.stdout, readFileSync(csv, "utf8"), readFileSync(join(folder, page), "utf8")];
  for (const text of texts)
    for (const word of ["ポンプ", "zustand-läuft"]) assert.ok(text.includes(word), word);
});

test("a fleet's nodes and users may have names of any script; what an address would change stays out", () => {
  const check = new Ajv().compile(FLEET_SCHEMA);
  const accepts = (node: string, user = "anna") => {
    const users = [{ name: user, role: ROLES[0] }];
    return check({
      schema: "motelearn.fleet/1",
      store: "a.db",
      nodes: [{ name: node, port: "unix:a" }],
      users,
    });
  };
  for (const word of ["läuft", "停止", "ポンプ/1", "कम्पन", "عطل"]) assert.ok(accepts(word), word);
  for (const word of ["Jürgen", "春子"]) assert.ok(accepts("a", word), word);
  for (const word of ["a b", "..", "a/", "a\u202eb", "a\u0000", "a?b", ""])
    assert.not.ok(accepts(word), word);
});

test.run();
