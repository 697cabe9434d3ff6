import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { FAMILIES } from "../../src/learn/registry.ts";
import { nodeLayout } from "../../src/node/node-layout.ts";
import { runHere } from "../cli/program.ts";
import { PAGES, readPage } from "./pages.ts";

test("the table of learners is the registry, with the bytes that the plan gives", () => {
  const rows = [
    ...readPage("docs/learners.md").matchAll(/^\| \[`([^`]+)`\]\(#\S+\) \| (.+?) \| (.+?) \| (\d+) \|$/gm),
  ].map(([, ...cells]) => cells);
  const listed = FAMILIES.map((learner) => {
    const { bytes } = nodeLayout({
      sid: 1,
      channels: 8,
      features: { standardise: true },
      learner,
      options: {},
    });
    return [learner.name, learner.title, learner.task, String(bytes)];
  });
  assert.equal(rows, listed);
});

test("README counts the learners, as npm run build:cards writes", () => {
  assert.ok(readPage("README.md").includes(` ${FAMILIES.length} learners`), `${FAMILIES.length} learners`);
});

test("a test that a page names is there", () => {
  const tests = readdirSync(join(process.cwd(), "test"), { recursive: true }).map(String);
  let names = 0;
  for (const page of PAGES)
    for (const [, name] of readPage(page).matchAll(/`((?![^`]*NAME)[\w/-]+(?:\.full)?\.test\.ts)`/g)) {
      names++;
      const path = name.replace(/^test\//, "");
      assert.ok(
        tests.some((file) => file === path || file.endsWith(`/${path}`)),
        `${page}: ${name}`,
      );
    }
  assert.ok(names > 20, `${names} tests named`);
});

for (const page of ["README.md", "docs/program.md"])
  test(`the program in ${page} prints what stands below it`, () => {
    const [, code, printed] =
      /^```ts\n([\s\S]+?)^```\n[^`]*^```text\n([\s\S]+?)^```$/m.exec(readPage(page)) ?? [];
    const folder = mkdtempSync(join(process.cwd(), "dist/guide-"));
    try {
      writeFileSync(join(folder, "program.mjs"), code);
      assert.is(execFileSync(process.execPath, [join(folder, "program.mjs")], { encoding: "utf8" }), printed);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

/** The code in a page: its blocks, and what stands between backticks. */
function codeIn(text: string): string[] {
  const blocks = [...text.matchAll(/^```\n([\s\S]+?)^```$/gm)].flatMap(([, block]) => block.split("\n"));
  const rest = text.replace(/^```[\s\S]+?^```$/gm, "");
  return [...blocks, ...[...rest.matchAll(/`([^`]+)`/g)].map(([, span]) => span.replaceAll("\n", " "))];
}

/** The page's commands of the program: a command's name, and what follows it. */
function motelearnIn(text: string): (readonly [command: string, rest: string])[] {
  const calls = /(?:^|\s)(?:motelearn|npm run (?=board|bench)) ?([a-z][a-z-]*)(?![\w.:/])((?: [^|;&)]*)?)/;
  return codeIn(text).flatMap((code) => {
    const [, command, rest] = calls.exec(code) ?? [];
    return command ? [[command, rest] as const] : [];
  });
}

test("the commands in the pages, and their flags, are the program's", async () => {
  const helps = new Map<string, string>();
  async function readHelp(...command: string[]): Promise<string> {
    const key = command.join(" ");
    if (!helps.has(key)) helps.set(key, (await runHere([...command, "--help"])).stdout);
    return helps.get(key) as string;
  }
  const known = await readHelp();
  let flags = 0;
  for (const page of PAGES) {
    for (const [command, rest] of motelearnIn(readPage(page))) {
      assert.match(known, new RegExp(`^ {2}${command} `, "m"), `${page}: motelearn ${command}`);
      for (const [, flag] of rest.matchAll(/(?<= )(--[a-z][\w-]*)/g)) {
        flags++;
        assert.match(
          await readHelp(command),
          new RegExp(`(^|[\\s,])${flag}\\b`),
          `${page}: motelearn ${command} ${flag}`,
        );
      }
    }
  }
  assert.ok(flags > 100, `${flags} flags found`);
});

/** The anchors of a page's headings, as GitHub and typedoc make them. */
function listAnchors(path: string): string[] {
  const headings = [
    ...readPage(path)
      .replace(/^```[\s\S]+?^```$/gm, "")
      .matchAll(/^#+ (.+)$/gm),
  ];
  return headings.map(([, title]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

test("every link from a page to a file of the clone leads there, and to a heading that is there", () => {
  let links = 0;
  for (const page of PAGES) {
    for (const [, target] of readPage(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
      links++;
      const [file, anchor] = target.split("#");
      const path = file === "" ? page : join(dirname(page), file);
      assert.ok(existsSync(join(process.cwd(), path)), `${page}: ${target}`);
      if (anchor) assert.ok(listAnchors(path).includes(anchor), `${page}: ${target}`);
    }
  }
  assert.ok(links > 50, `${links} links found`);
});

test("every guide can be reached from the README", () => {
  const reached = new Set(["README.md"]);
  for (const page of reached)
    for (const [, target] of readPage(page).matchAll(/\]\((?!https?:)([^)\s#]+\.md)[^)]*\)/g))
      reached.add(join(dirname(page), target));
  assert.equal(
    PAGES.filter((page) => !reached.has(page)),
    [],
  );
});

test.run();
