import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { FORGETTING_DUAL_ASCENT } from "../../../lab/experiments/forgetting.ts";
import { PapersData } from "../../../lab/experiments/lib/data.ts";
import { persistentTarget } from "../../../lab/experiments/lib/persistent-target.ts";
import { missingFiles } from "../../../lab/experiments/lib/run.ts";
import { Summary } from "../../../lab/experiments/lib/summary.ts";
import { OSKM } from "../../../lab/experiments/oskm.ts";
import { experimentNamed } from "../../../lab/experiments/registry.ts";
import { runHere } from "../../cli/program.ts";

const test = suite<{ folder: string }>("own files");
const [, ISOLET] = FORGETTING_DUAL_ASCENT;

test.before.each((context) => {
  context.folder = mkdtempSync(join(tmpdir(), "own-files-"));
});

test.after.each(({ folder }) => rmSync(folder, { recursive: true }));

function write(folder: string, file: string, lines: readonly string[]): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), `${lines.join("\n")}\n`);
}

/** Letters 1..26 in turn, on a line each. */
const letters = (rows: number) =>
  Array.from({ length: rows }, (_, i) => `${1 + (i % 26)} 1:${(i % 26) / 26} 2:${(i % 7) / 7}`);

test("Isolet: the other half is run where it is in the folder, and the verdict no longer speaks of what is missing", async ({
  folder,
}) => {
  const measured = async () =>
    new Summary([await ISOLET.run(1, new PapersData(folder)), await ISOLET.run(2, new PapersData(folder))]);
  write(folder, "isolet1/isolet1.libsvm", letters(52));
  const half = await measured();
  assert.is(half.mean("samples"), 52);
  assert.match(ISOLET.verdict(half).note ?? "", "doesn't explain it");
  write(folder, "isolet5/isolet5.libsvm", letters(78));
  const more = await measured();
  assert.is(more.mean("samples"), 130);
  assert.not.match(ISOLET.verdict(withSamples(half, 3119)).note ?? "", "doesn't explain it");
});

/** The same means, of as many samples. */
function withSamples(summary: Summary, samples: number): Summary {
  const means = Object.fromEntries(Object.keys(summary.numbers).map((name) => [name, summary.mean(name)]));
  return new Summary([1, 2].map(() => ({ numbers: { ...means, samples } })));
}

test("MSTAR features take the place of generated ones: a chip of its class at each sample, scaled and with noise", () => {
  const chips = {
    inputs: [Float32Array.of(3, 0, 0), Float32Array.of(0, 4, 0), Float32Array.of(0, 0, 5)],
    labels: [1, 1, -1],
  };
  const { inputs, truth } = persistentTarget(1, { persistence: 10, snr: 200 }, chips);
  const seen = { "1": new Set<number>(), "-1": new Set<number>() };
  inputs.forEach((x, t) => {
    assert.is(x.length, 3);
    const largest = x.reduce((most, value, j) => (value > x[most] ? j : most), 0);
    seen[truth[t] > 0 ? "1" : "-1"].add(largest);
  });
  assert.equal([[...seen["1"]].sort(), [...seen["-1"]]], [[0, 1], [2]]);
  const power =
    inputs.reduce((sum, x) => sum + x.reduce((all, value) => all + value * value, 0), 0) / inputs.length;
  assert.ok(Math.abs(power - 1) < 1e-6, String(power));
});

test("MSTAR features with other labels, or of one class alone, are refused in a line that says which are right", async ({
  folder,
}) => {
  for (const labels of [
    [0, 1],
    [1, 1],
    [-1, 2],
  ]) {
    write(
      folder,
      "mstar/features.libsvm",
      labels.map((label) => `${label} 1:1 2:2`),
    );
    try {
      await OSKM[0].run(1, new PapersData(folder));
      assert.unreachable(labels.join());
    } catch (error) {
      assert.match(
        (error as Error).message,
        /features\.libsvm: .*; \+1 for BMP2 and -1 for BTR-70 are right/,
        labels.join(),
      );
    }
  }
});

test("URL is run where its files are in the folder, once, in their order", ({ folder }) => {
  const url = experimentNamed("lol-table-3-url");
  assert.equal(missingFiles(url, new PapersData(folder)), ["url/train.libsvm", "url/test.libsvm"]);
  for (const file of url.files ?? []) write(folder, file, ["1 1:1", "-1 1:2"]);
  assert.equal([missingFiles(url, new PapersData(folder)), url.once], [[], true]);
});

test("papers --help says which own files it takes, and in which form", async () => {
  const { stdout } = await runHere(["papers", "--help"]);
  const help = stdout.replaceAll(/\s+/g, " ");
  for (const [file, form] of [
    ["mstar/features.libsvm", "a chip a line, as LIBSVM text with label +1 for BMP2 and -1 for BTR-70"],
    ["isolet5/isolet5.libsvm", "its part isolet5 of 1559 samples"],
    ["url/train.libsvm, url/test.libsvm", "reduced to 100 by your own Gaussian random projection"],
    ["frames", "binary PGM files of one size"],
  ]) {
    assert.ok(help.includes(` ${file} `), file);
    assert.ok(help.includes(form), form);
  }
});

test.run();
