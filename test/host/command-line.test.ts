import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { commandText, fileWord, shellWord } from "../../host/terminal/command-line.ts";
import { runHere, temporaryFolder } from "../cli/program.ts";

const written = temporaryFolder();
/** What a shell makes of a command: its words. */
const words = (command: string) =>
  execFileSync("sh", ["-c", `printf '%s\\n' ${command}`], { encoding: "utf8" })
    .split("\n")
    .slice(0, -1);

const NAMES = [
  "press 2.csv",
  "it's.csv",
  "a;b.csv",
  "$HOME.csv",
  "a&b.csv",
  "(1).csv",
  "größe.csv",
  "*.csv",
  "~a.csv",
  '"a".csv',
];

test("a shell reads each word of a printed command as it was", () => {
  assert.equal(words(NAMES.map(shellWord).join(" ")), NAMES);
  assert.is(fileWord("-a.csv"), "./-a.csv");
  assert.is(
    commandText("simulate", [["--seed", "1"]], "a b.json"),
    "npx motelearn simulate 'a b.json' --seed 1",
  );
});

test("the commands that are proposed for a file with blanks and shell characters run as they are pasted", async () => {
  const folder = join(dirname(written("x", "")), "a & b's");
  mkdirSync(folder);
  const at = (name: string, text: string | Uint8Array) => written(`a & b's/${name}`, text);
  const rows = Array.from({ length: 40 }, (_, i) => `${i % 7}.5,${i % 2 ? "on" : "off"}`).join("\n");
  const data = at("my data.csv", `temp,state\n${rows}\n`);
  const proposed = async (...args: readonly string[]) => {
    const { stdout, stderr } = await runHere(args);
    return `${stdout}${stderr}`;
  };
  const next = /next: (npx motelearn choose .*)/.exec(await proposed("import", data))?.[1] ?? "";
  assert.equal(words(next.replace("npx motelearn ", "")), ["choose", "--train", data]);
  const advice =
    /; (npx motelearn evaluate .*) runs a learner/.exec(await proposed("simulate", data))?.[1] ?? "";
  assert.equal(words(advice).slice(-1), [data]);
  const short = ["--budgets", "16", "--seconds", "0.1", "--threads", "1", "--no-features"];
  const node = join(folder, "my node.json");
  const chosen = await proposed("choose", "--train", data, ...short, "--node", node, "--target", "esp32c3");
  assert.equal(words(/next: (.*)/.exec(chosen)?.[1] ?? "").slice(-2), ["--node", node]);
  const latin = at("latin 1.csv", Buffer.from(`${"1.5,0\n".repeat(6000)}20 \xb0C,1\n`, "latin1"));
  const iconv = /(iconv .*) > NEW/.exec(await proposed("import", latin))?.[1] ?? "";
  assert.ok(execFileSync("sh", ["-c", iconv], { encoding: "utf8" }).includes("20 °C"), iconv);
  const project = join(folder, "my project");
  const cd = /^ {2}(cd .*)$/m.exec(await proposed("init", project))?.[1] ?? "";
  assert.is(execFileSync("sh", ["-c", `${cd} && pwd`], { encoding: "utf8" }).trim(), project);
  assert.ok(existsSync(node) && readFileSync(node, "utf8").includes("motelearn.node/1"));
});

test.run();
