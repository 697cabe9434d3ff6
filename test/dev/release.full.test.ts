import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { unreleasedChapter } from "../../dev/report/compare.ts";

const { compareVersions, NAMED, releasedChangelog, withVersion } = await import(
  join(process.cwd(), "dev/release/changes.mjs")
);
const clone = mkdtempSync(join(tmpdir(), "motelearn-"));
test.after(() => rmSync(clone, { recursive: true }));

const WHO = {
  GIT_AUTHOR_NAME: "A",
  GIT_AUTHOR_EMAIL: "a@b.c",
  GIT_COMMITTER_NAME: "A",
  GIT_COMMITTER_EMAIL: "a@b.c",
};
/** Nobody listens there: a release that asks a registry for more than it must fails. */
const env = {
  ...process.env,
  ...WHO,
  npm_config_registry: "http://127.0.0.1:9",
  npm_config_fetch_retries: "0",
};
const git = (...options: string[]) =>
  execFileSync("git", options, { cwd: clone, encoding: "utf8", env }).trim();
const text = (file: string) => readFileSync(join(clone, file), "utf8");

/**
 * A clone with the files that a release changes. Its `npm run report` writes a file, and nothing is built before it is packed: both have tests
 * of their own, and take a minute.
 */
function setUp(): void {
  const named = NAMED.map(({ file }: { readonly file: string }) => file);
  for (const file of [
    "dev/release",
    "targets/emulator/command-line.mjs",
    "package-lock.json",
    "CHANGELOG.md",
    ...named,
  ]) {
    mkdirSync(dirname(join(clone, file)), { recursive: true });
    cpSync(file, join(clone, file), { recursive: true });
  }
  const { scripts: _, files, ...shared } = JSON.parse(readFileSync("package.json", "utf8"));
  const scripts = { report: "node report.mjs" };
  const packed = files.filter((file: string) => file.endsWith(".md"));
  writeFileSync(
    join(clone, "package.json"),
    `${JSON.stringify({ ...shared, scripts, files: packed }, null, 2)}\n`,
  );
  writeFileSync(
    join(clone, "report.mjs"),
    'import { writeFileSync } from "node:fs"; writeFileSync("figures.json", "new");',
  );
  writeFileSync(join(clone, "figures.json"), "old");
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "-m", "All");
}

setUp();
const VERSION: string = JSON.parse(text("package.json")).version;
const NEXT = `${Number(VERSION.split(".")[0]) + 1}.0.0`;

function release(...options: string[]) {
  const program = join(clone, "dev/release/release.mjs");
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...options], {
    cwd: clone,
    encoding: "utf8",
    env,
  });
  return { status, stdout, stderr };
}

/** It ends with 2 and that line, and leaves the tree as it was. */
function refuses(options: readonly string[], line: RegExp): void {
  const before = git("status", "--porcelain");
  const { status, stdout, stderr } = release(...options);
  assert.is(status, 2, stderr);
  assert.is(stdout, "");
  assert.match(stderr, line);
  assert.is(stderr.trim().split("\n").length, 1, stderr);
  assert.is(git("status", "--porcelain"), before);
}

test("versions are compared number by number", () => {
  assert.ok(compareVersions("0.10.0", "0.9.9") > 0);
  assert.ok(compareVersions("1.0.0", "1.0.1") < 0);
  assert.is(compareVersions("1.2.3", "1.2.3"), 0);
});

test("a version is set where the lock file has it, and nowhere else", () => {
  const lock = { version: "0.1.0", packages: { "": { version: "0.1.0" }, other: { version: "0.1.0" } } };
  const { version, packages } = JSON.parse(withVersion(JSON.stringify(lock), "0.2.0"));
  assert.equal([version, packages[""].version, packages.other.version], ["0.2.0", "0.2.0", "0.1.0"]);
});

test("a release's chapter has its version and day, and an empty one comes above it", () => {
  const before = "# Changelog\n\n## 0.2.0, unreleased\n\n- It came.\n\n## 0.1.0\n";
  const after = releasedChangelog(before, "0.2.0", "2026-01-31");
  assert.is(after, "# Changelog\n\n## Unreleased\n\n## 0.2.0, 2026-01-31\n\n- It came.\n\n## 0.1.0\n");
  assert.is(unreleasedChapter(after).trim(), "Unreleased");
});

test("a release refuses what isn't a version, an older one, and options that it hasn't", () => {
  refuses([], /^release: takes one version, such as 0\.2\.0, and --dry-run\n$/);
  refuses(["next"], /^release: got version next; takes three numbers, such as 0\.2\.0\n$/);
  refuses(
    ["0.0.1"],
    /^release: version 0\.0\.1: takes \d+\.\d+\.\d+, which package\.json has, or a greater one\n$/,
  );
  refuses([NEXT, "--force"], /^release: Unknown option '--force'.*; takes a version, and --dry-run\n$/);
});

test("a release refuses a tree that isn't clean", () => {
  writeFileSync(join(clone, "note"), "");
  refuses([NEXT], /^release: the tree isn't clean \(\?\? note\); commit first\n$/);
  rmSync(join(clone, "note"));
});

test("a dry run packs, and leaves tree, history and tags as they were", () => {
  const head = git("rev-parse", "HEAD");
  const { status, stdout, stderr } = release(NEXT, "--dry-run");
  assert.is(status, 0, stderr);
  assert.match(
    stdout,
    new RegExp(
      `^motelearn-${NEXT}\\.tgz: \\d+ bytes, sha512-\\S+\ndry run: ${NEXT} can be released; nothing was changed\n$`,
    ),
  );
  assert.equal([git("rev-parse", "HEAD"), git("status", "--porcelain"), git("tag")], [head, "", ""]);
  assert.is(text("figures.json"), "old");
});

test("a report that fails ends a release, and undoes it", () => {
  writeFileSync(join(clone, "report.mjs"), 'console.log("1 failed"); process.exitCode = 1;');
  git("commit", "--quiet", "--all", "-m", "Fail");
  const { status, stderr } = release(NEXT);
  assert.is(status, 2);
  assert.match(stderr, /^release: npm run report fails:\n1 failed\n$/);
  assert.equal([git("status", "--porcelain"), git("tag")], ["", ""]);
  git("reset", "--quiet", "--hard", "HEAD^");
});

test("a release names its version everywhere, commits, and tags with the package's hash", () => {
  const { status, stdout, stderr } = release(NEXT);
  assert.is(status, 0, stderr);
  assert.match(
    stdout,
    new RegExp(`^tag v${NEXT}; now: git push --follow-tags; npm publish --provenance`, "m"),
  );
  assert.is(git("describe", "--tags"), `v${NEXT}`);
  assert.is(git("status", "--porcelain"), "");
  const [integrity] = /sha512-\S+/.exec(stdout) as RegExpExecArray;
  assert.ok(git("tag", "-l", "--format=%(contents)", `v${NEXT}`).includes(`Package: ${integrity}`));
  for (const file of ["package.json", "package-lock.json"]) assert.is(JSON.parse(text(file)).version, NEXT);
  for (const { file, text: named } of NAMED) {
    assert.ok(text(file).includes(named(NEXT)), file);
    assert.not.ok(text(file).includes(named(VERSION)), file);
  }
  assert.match(
    text("CHANGELOG.md"),
    new RegExp(`^# Changelog\n\n## Unreleased\n\n## ${NEXT}, \\d{4}-\\d\\d-\\d\\d\n`),
  );
  assert.is(text("figures.json"), "new");
});

test("after it, a release refuses the same version, and an unreleased chapter without a word", () => {
  refuses(
    [NEXT],
    new RegExp(`^release: version ${NEXT}: takes one greater than ${NEXT}, which has a tag\n$`),
  );
  const later = NEXT.replace(".0.0", ".1.0");
  refuses(
    [later],
    /^release: CHANGELOG\.md: the unreleased chapter is empty; write what changed for users\n$/,
  );
});

test.run();
