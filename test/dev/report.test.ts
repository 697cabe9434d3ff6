import { test } from "uvu";
import * as assert from "uvu/assert";
import { compare, unreleasedChapter } from "../../dev/report/compare.ts";
import { codeFigures, knownFigures } from "../../dev/report/figures.ts";
import { reportText } from "../../dev/report/text.ts";
import { FAMILIES } from "../../src/learn/registry.ts";
import { TARGETS } from "../../targets/boards.ts";
import { MEASURED } from "../targets/measured.ts";

const LEARN = "instructions/rv32imac/pa/learn";
const NOTHING = "# Changelog\n\n## 0.2.0, unreleased\n\nNothing.\n";
const named = (text: string) =>
  `# Changelog\n\n## 0.2.0, unreleased\n\n- ${text}\n\n## 0.1.0\n\n- It came.\n`;

const TURN = "instructions/m4f/wire costs/a turn with a label";

/** The report's verdict on one figure's growth by that factor: worse, and whether the changelog names it. */
function grown(factor: number, changelog = NOTHING) {
  return compare({ [LEARN]: 10_000 }, { [LEARN]: 10_000 * factor }, changelog).worse;
}

test("a figure that grows by more than 2 % is a regression, by 2 % or less isn't", () => {
  const [change] = grown(1.021);
  assert.is(change.name, LEARN);
  assert.ok(Math.abs(change.by - 0.021) < 1e-9);
  assert.is(change.named, false);
  assert.equal(grown(1.019), []);
  assert.equal(grown(0.5), []);
});

test("a figure that was nothing, and is something, is a regression", () => {
  assert.is(compare({ [LEARN]: 0 }, { [LEARN]: 1 }, NOTHING).worse.length, 1);
  assert.equal(compare({ [LEARN]: 0 }, { [LEARN]: 0 }, NOTHING).worse, []);
});

test("a module may grow by 64 bytes, a whole firmware by 2 %", () => {
  const worse = (name: string, before: number, now: number) =>
    compare({ [name]: before }, { [name]: now }, NOTHING).worse.length;
  assert.is(worse("code/src/node/node.js", 400, 464), 0);
  assert.is(worse("code/src/node/node.js", 400, 465), 1);
  assert.is(worse("firmware/board.js", 400, 410), 1);
});

test("the changelog lets a regression through that its unreleased chapter names, itself or by a pattern", () => {
  const isNamed = (text: string) => grown(1.5, text)[0].named;
  assert.ok(isNamed(named(`\`${LEARN}\` grows: it now clips a glitch.`)));
  assert.ok(isNamed(named("`instructions/*/pa/learn` grows on all chips.")));
  const spaced = compare({ [TURN]: 1 }, { [TURN]: 2 }, named(`\`fill\` and \`${TURN}\` grow.`));
  assert.ok(spaced.worse[0].named, "a name with spaces");
  assert.not(isNamed(NOTHING));
  assert.not(isNamed(named(`${LEARN} without backticks`)));
  assert.not(isNamed(named("`instructions/*/pa/predict`, another call")));
  assert.not(isNamed(named("`instructions/*`, which would be everything")));
  assert.not(isNamed(`# Changelog\n\n## 0.1.0\n\n- \`${LEARN}\` of a release that is out.\n`));
  assert.not(isNamed(`${NOTHING}\n## 0.1.0\n\n- \`${LEARN}\` of a release that is out.\n`));
});

test("what isn't released is the changelog's first chapter, if that says so", () => {
  assert.match(unreleasedChapter(named("One line.")), /One line\./);
  assert.not.match(unreleasedChapter(named("One line.")), /It came/);
  assert.is(unreleasedChapter("# Changelog\n\n## 0.1.0\n\n- It came.\n"), "");
});

test("figures that are new or gone are listed, and compared with nothing", () => {
  const { added, gone, compared, worse } = compare({ "code/old.js": 1 }, { "code/new.js": 9 }, NOTHING);
  assert.equal(
    { added, gone, compared, worse },
    { added: ["code/new.js"], gone: ["code/old.js"], compared: 0, worse: [] },
  );
});

test("every measured learner has its instructions on each chip that is counted, and its RAM on every board", () => {
  const figures = knownFigures(process.cwd());
  for (const { name } of MEASURED) {
    for (const chip of ["rv32imac", "rv32imafc", "m4f", "m33"])
      for (const call of ["predict", "learn"])
        assert.ok(figures[`instructions/${chip}/${name}/${call}`] > 0, `${chip} ${name} ${call}`);
    for (const board of TARGETS) assert.ok(figures[`ram/${board}/${name}`] > 1_000, `${board} ${name}`);
  }
});

test("the report shows each learner and module, and what moved, by name", () => {
  const code = codeFigures({ modules: { "src/learn/olk.js": 4000 }, firmware: { "board.js": 500 } });
  const before = { ...knownFigures(process.cwd()), ...code };
  const now = { ...before, [LEARN]: before[LEARN] * 1.5, "code/src/learn/olk.js": 3000 };
  const text = reportText("tag v0.1.0", before, now, compare(before, now, NOTHING));
  for (const { name } of FAMILIES) assert.match(text, new RegExp(`^${name} `, "m"));
  assert.match(text, /^code\/src\/learn\/olk\.js +3,000 \(-25\.0 %\)$/m);
  assert.match(
    text,
    /^Larger by more than 2 %:\n {2}instructions\/rv32imac\/pa\/learn: \d+ -> [\d.]+, \+50\.0 %$/m,
  );
});

test.run();
