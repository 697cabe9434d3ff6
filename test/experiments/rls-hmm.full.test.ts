import { test } from "uvu";
import * as assert from "uvu/assert";
import { PapersData } from "../../experiments/lib/data.ts";
import { Summary } from "../../experiments/lib/summary.ts";
import { RLS_HMM } from "../../experiments/rls-hmm.ts";

for (const experiment of RLS_HMM) {
  test(`${experiment.id}: four runs put it ahead of osKM and of the best NORMA at 20 % and 30 % of flips`, async () => {
    const seeds = [1001, 1002, 1003, 1004];
    const measured = await Promise.all(
      seeds.map(async (seed) => experiment.run(seed, new PapersData(undefined))),
    );
    const summary = new Summary(measured);
    for (const { name } of experiment.rows) assert.ok(summary.has(name), name);
    for (const { lines } of experiment.figures) {
      for (const { curve } of lines) assert.ok(measured[0].curves?.[curve], curve);
    }
    const others = experiment.rows.map(({ name }) => name).filter((name) => /\/0\.[23]$/.test(name));
    for (const name of others.filter((name) => !/^(rls-hmm|arow)/.test(name))) {
      const ours = `rls-hmm/${name.split("/")[1]}`;
      assert.ok(summary.mean(ours) > summary.mean(name), `${ours} and ${name}`);
    }
    const { outcome, text } = experiment.verdict(summary);
    assert.ok(outcome === "holds" || outcome === "partly");
    assert.match(text, /of the best NORMA .* at 40 %; of osKM .* at 40 %; of the better AROW .* at 40 %/);
  });
}

test.run();
