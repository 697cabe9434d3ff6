// npm run report [-- --write]: sizes and costs of this tree against the last release's: bytecode by
// module, instructions of each learner, RAM of a node, CPU of `npm test`. Writes reports/report.json, prints
// tables. A figure that grew by more than 2 % and isn't named in CHANGELOG.md's unreleased chapter fails.
// With --write, as in a release, the figures become the next comparison's base.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { imported } from "../../targets/emulator/bundle.mjs";
import { readCommandLine } from "../../targets/emulator/command-line.mjs";
import { root } from "../../targets/emulator/engine.mjs";
import { codeBytes } from "./code.mjs";

const BASELINE = "dev/report/baseline.json";
/** The file in which dev/test.mjs leaves the CPU time of the last run of all quick tests. */
const CPU = join(root, "dist/test-cpu.json");
const read = (file) => JSON.parse(readFileSync(file, "utf8"));

/** The last release's figures, by its tag; without a tag those that are committed. */
function lastRelease() {
  const git = (...given) => spawnSync("git", given, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 });
  const tag = git("describe", "--tags", "--abbrev=0", "--match", "v*").stdout?.trim();
  const tagged = tag && git("show", `${tag}:${BASELINE}`);
  if (tagged && tagged.status === 0) return { against: `tag ${tag}`, ...JSON.parse(tagged.stdout) };
  return { against: `${BASELINE}, as there is no tag`, ...read(join(root, BASELINE)) };
}

/** CPU time differs between machines, and by a tenth between runs, so it is printed but never fails. */
function cpuLine(before, now) {
  if (!now) return "CPU of npm test: not known, as no npm test ran in this clone";
  const was = before ? `, at the last release ${before.seconds} s on Node ${before.node}` : "";
  return `CPU of npm test: ${now.seconds} s on Node ${now.node}${was}; not judged`;
}

function needsCompiler() {
  if (spawnSync("cc", ["--version"]).status === 0) return false;
  console.error("report: needs a C compiler to build XS's: cc (Debian: gcc libc6-dev)");
  return true;
}

/** One check for each kind of figures; prints the line that CI counts. */
function close(figures, { worse }) {
  const kinds = [...new Set(Object.keys(figures).map((name) => name.split("/")[0]))];
  const unnamed = worse.filter(({ named }) => !named);
  const failed = kinds.filter((kind) => unnamed.some(({ name }) => name.startsWith(`${kind}/`)));
  if (failed.length > 0)
    console.log(
      "Name each in CHANGELOG.md's unreleased chapter, in backticks, with the reason; * stands for one part of a name.",
    );
  console.log(`\n${kinds.length - failed.length} passed, ${failed.length} failed`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}

async function report({ write }) {
  const { compare, codeFigures, knownFigures, reportText } = await imported("dev/report/entry.ts");
  const code = await codeBytes();
  const figures = { ...codeFigures(code), ...knownFigures(root) };
  const cpu = existsSync(CPU) ? read(CPU) : undefined;
  const { version } = read(join(root, "package.json"));
  const made = { made: "npm run report -- --write", version, cpu, figures };
  mkdirSync(join(root, "reports"), { recursive: true });
  writeFileSync(join(root, "reports/report.json"), `${JSON.stringify(made, null, 2)}\n`);
  const last = lastRelease(); // before it is overwritten
  if (write) {
    writeFileSync(join(root, BASELINE), `${JSON.stringify(made, null, 2)}\n`);
    execFileSync(join(root, "node_modules/.bin/biome"), ["format", "--write", BASELINE], {
      cwd: root,
      stdio: "ignore",
    });
  }
  const found = compare(last.figures, figures, readFileSync(join(root, "CHANGELOG.md"), "utf8"));
  console.log(reportText(last.against, last.figures, figures, found));
  console.log(code.c);
  console.log(cpuLine(last.cpu, cpu));
  close(figures, found);
}

const { values } = readCommandLine("report", "--write", {
  options: { write: { type: "boolean", default: false } },
});
if (needsCompiler()) process.exitCode = 2;
else await report(values);
