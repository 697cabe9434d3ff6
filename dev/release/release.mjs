// npm run release -- X.Y.Z [--dry-run]: makes a release of this tree: version, changelog, figures of the
// report, commit, annotated tag. It packs the package as `npm publish --dry-run` does, and the tag names its
// hash, so that anyone who builds the tag can compare. It pushes and publishes nothing: it prints the
// commands. With --dry-run the tree is as before, and there is no tag. Exit code 2 if the user must fix
// something.
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readCommandLine } from "../../targets/emulator/command-line.mjs";
import { changelogFault, NAMED, releasedChangelog, versionFault, withVersion } from "./changes.mjs";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const read = (file) => readFileSync(join(root, file), "utf8");
const write = (file, text) => writeFileSync(join(root, file), text);
const git = (...given) => execFileSync("git", given, { cwd: root, encoding: "utf8" }).trim();

/** An error that the user can fix, in one line. */
class Refusal extends Error {}

function commandLine() {
  const options = { "dry-run": { type: "boolean", default: false } };
  const { values, positionals } = readCommandLine("release", "a version, and --dry-run", {
    options,
    allowPositionals: true,
  });
  if (positionals.length === 1) return { version: positionals[0], dry: values["dry-run"] };
  throw new Refusal("takes one version, such as 0.2.0, and --dry-run");
}

function taggedVersion() {
  const { status, stdout } = spawnSync("git", ["describe", "--tags", "--abbrev=0", "--match", "v*"], {
    cwd: root,
    encoding: "utf8",
  });
  return status === 0 ? stdout.trim().slice(1) : undefined;
}

function checkTree(version, current) {
  const [first] = git("status", "--porcelain").split("\n");
  if (first) throw new Refusal(`the tree isn't clean (${first.trim()}); commit first`);
  const fault = versionFault(version, current, taggedVersion()) ?? changelogFault(read("CHANGELOG.md"));
  if (fault) throw new Refusal(fault);
  const stale = NAMED.find(({ file, text }) => !read(file).includes(text(current)));
  if (stale) throw new Refusal(`${stale.file} doesn't have: ${stale.text(current)}`);
}

function nameVersion(version, current) {
  for (const file of ["package.json", "package-lock.json"]) write(file, withVersion(read(file), version));
  for (const { file, text } of NAMED) write(file, read(file).replaceAll(text(current), text(version)));
}

function closeChapter(version) {
  const today = new Date().toISOString().slice(0, 10);
  write("CHANGELOG.md", releasedChangelog(read("CHANGELOG.md"), version, today));
}

function npm(given, what) {
  const { status, stdout, stderr } = spawnSync("npm", given, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Refusal(`${what} fails:\n${stdout}${stderr}`.trim());
  return stdout;
}

/**
 * The hash of the package that `npm publish` would send. npm prints one form for a single package, another by
 * name.
 */
function checkPack() {
  const answer = JSON.parse(npm(["publish", "--dry-run", "--json"], "npm publish --dry-run"));
  const { integrity, filename, size } = answer.integrity ? answer : Object.values(answer)[0];
  return { integrity, filename, size };
}

function tag(version, { integrity }) {
  git(
    "commit",
    "--quiet",
    "--all",
    "-m",
    `Release ${version}`,
    "-m",
    "CHANGELOG.md says what changed. Made by npm run release.",
  );
  const made = `Node ${process.versions.node}`;
  git(
    "tag",
    "--annotate",
    `v${version}`,
    "-m",
    `Motelearn ${version}`,
    "-m",
    `Package: ${integrity}\nPacked by: ${made}`,
  );
}

function release({ version, dry }) {
  const { version: current } = JSON.parse(read("package.json"));
  checkTree(version, current);
  let isTagged = false;
  try {
    nameVersion(version, current);
    // The report reads the unreleased chapter for what may grow.
    npm(["run", "--silent", "report", "--", "--write"], "npm run report");
    closeChapter(version);
    const made = checkPack();
    console.log(`${made.filename}: ${made.size} bytes, ${made.integrity}`);
    if (dry) return console.log(`dry run: ${version} can be released; nothing was changed`);
    tag(version, made);
    isTagged = true;
    console.log(
      `tag v${version}; now: git push --follow-tags; npm publish --provenance (in a CI that npm can ask who it is)`,
    );
  } finally {
    if (!isTagged) git("checkout", "--quiet", "--", ".");
  }
}

try {
  release(commandLine());
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(`release: ${error.message}`);
  process.exitCode = 2;
}
