import { test } from "uvu";
import * as assert from "uvu/assert";
import { chooseEntrants, parseEntrant } from "../../lab/bench/learning/entrants.ts";
import { assembleMemory } from "../../lab/bench/learning/memory.ts";
import { memoryTables } from "../../lab/bench/learning/memory-text.ts";
import { Performer } from "../../lab/bench/learning/perform.ts";
import type { Grid, Run } from "../../lab/bench/learning/plan.ts";
import type { Find } from "../../lab/bench/learning/result.ts";
import { unfit } from "../../lab/bench/learning/run.ts";

const SETTING = {
  sources: { files: [] },
  rows: 300,
  scale: "node",
  loss: 0,
  prefix: 20,
  inBytes: true,
} as const;

test("errors are means over sets with their standard errors, differences are paired by set", () => {
  const sets = ["a", "b", "c"].map((name) => ({
    ...{ name, doc: name, timed: false, files: [], long: false },
    read: () => Promise.reject(new Error("not read")),
  }));
  const entrants = ["auto", "nag", "mlp"].map((name) => parseEntrant(name));
  const orders = ["time", "shuffled"] as const;
  const grid: Grid = { sets, entrants, budgets: [2048], delays: [0], flips: [0, 0.2], orders, seeds: 1 };
  const errors: { readonly [name: string]: readonly number[] } = { auto: [10, 20, 30], nag: [12, 20, 37] };
  const find: Find = ({ set, flips }, { name }, budget) => {
    const at = "abc".indexOf(set);
    const error = (errors[name]?.[at] ?? 15) / 100 + (flips === 0 ? 0 : 0.02);
    const bytes = budget === null ? 3000 : 2000;
    if (name === "mlp" && set === "c") return unfit(2);
    return { classes: 2, error, late: 0, balancedAccuracy: null, bytes: name === "nag" ? 64 : bytes };
  };
  const result = assembleMemory(grid, SETTING, [], { done: 18, planned: 18 }, find);
  const [auto, nag, mlp] = result.table.map(({ orders: [first] }) => first);
  assert.is(result.reference, "auto");
  assert.is(nag.order, "shuffled");
  near(auto.error.mean, 0.21);
  near(auto.error.standardError, 0.1 / Math.sqrt(3));
  // Differences 2, 0 and 7 points: mean 3, deviation sqrt(13).
  near(nag.behind?.mean, 0.03);
  near(nag.behind?.standardError, Math.sqrt(13 / 3) / 100);
  assert.equal([mlp.sets, nag.sets], [2, 3]);
  near(mlp.behind?.mean, 0);
  const [{ rows }] = memoryTables(result);
  assert.equal(rows[0].slice(0, 4), ["mlp", "2000", "16.00 ± 0.00 (2)", "0.00 ± 5.00"]);
});

function near(got: number | null | undefined, wanted: number): void {
  assert.ok(Math.abs((got ?? Number.NaN) - wanted) < 1e-9, `${got}, not ${wanted}`);
}

test("at a memory each entrant has the most vectors that fit", async () => {
  const performer = new Performer(SETTING);
  const on = { set: "rings", delay: 0, flips: 0, order: "shuffled", seed: 1 } as const;
  const measureBytes = async (name: string, budget: number | null): Promise<number | undefined> => {
    const entrant = parseEntrant(name);
    const outcome = await performer.perform({ ...on, entrant, budget } satisfies Run);
    return outcome.unfit ? undefined : outcome.bytes;
  };
  for (const name of ["olk-c", "bsgd", "mlp", "hoeffding-tree"]) {
    const bytes = (await measureBytes(name, 2048)) ?? 0;
    assert.ok(bytes > 1800 - 300 && bytes <= 2048, `${name}: ${bytes}`);
  }
  const committee = (await measureBytes("auto", 8192)) ?? 0;
  assert.ok(committee > 7000 && committee <= 8192, `auto: ${committee}`);
  assert.is(await measureBytes("olk-c", 100), undefined);
  assert.is(await measureBytes("forest", 100), undefined);
  assert.is(await measureBytes("nag", null), 44);
});

test("methods of others compete by memory alone", () => {
  assert.throws(() => chooseEntrants(["arow", "mlp"]), /--learners mlp: .*--memory/);
  const names = chooseEntrants(undefined, true).map(({ name }) => name);
  for (const name of ["majority", "last", "auto", "mlp", "nag", "naive-bayes"])
    assert.ok(names.includes(name), name);
});

test.run();
