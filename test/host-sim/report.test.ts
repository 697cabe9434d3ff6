import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { html } from "../../host/report/html.ts";
import { renderReport } from "../../host-sim/report/page.ts";
import { groupTasks } from "../../host-sim/report/tasks.ts";
import { renderTable } from "../../host-sim/report/terminal.ts";
import { judgeTask } from "../../host-sim/report/verdict.ts";
import type { Curve, LearnerResult, Scores } from "../../host-sim/scoring/result.ts";
import { network } from "./results.ts";

/** The page's plots: what their axes show, and their lines but the grey ones. */
function findPlots(page: string): { unit: string; lines: { name: string; colour: string }[] }[] {
  return [...page.matchAll(/<svg class="chart"[^>]* aria-label="([^"]+?) over samples, .*?<\/svg>/gs)].map(
    ([plot, unit]) => {
      const lines = [...plot.matchAll(/stroke="(var\(--c\d\))"[^>]* data-name="([^"]+)"/g)];
      return { unit, lines: lines.map(([, colour, name]) => ({ name, colour })) };
    },
  );
}

const page = renderReport(network());

// MOTELEARN_REPORT=/tmp/report.html keeps the page, to be looked at.
const kept = process.env.MOTELEARN_REPORT;
if (kept) {
  mkdirSync(dirname(kept), { recursive: true });
  writeFileSync(kept, page);
  writeFileSync(kept.replace(/\.html$/, "-regression.html"), renderReport(network({ kind: "regression" })));
  const names = Array.from({ length: 9 }, (_, i) => `a-learner-with-a-long-name-${i}`);
  writeFileSync(kept.replace(/\.html$/, "-many.html"), renderReport(network({ names })));
}

test("the page says what was run and how to repeat it", () => {
  for (const text of [
    "<h1>Four recorded motes</h1>",
    "four-motes",
    "typescript",
    "novelty, faults (classification)",
  ]) {
    assert.ok(page.includes(text), text);
  }
  assert.ok(page.includes('<code id="repeat">npx motelearn simulate four-motes --seed 1</code>'));
});

test("the page loads nothing", () => {
  assert.not.match(page, /<(script|img|iframe)[^>]*\ssrc\s*=/i);
  assert.not.match(page, /<link\b/i);
  assert.not.match(page, /href\s*=\s*["']?https?:/i);
  assert.not.match(page, /@import|url\(/i);
  assert.match(page, /default-src 'none'/);
});

test("the same result gives the same bytes, apart from the footer's timing", () => {
  assert.is(renderReport(network()), page);
  assert.is(
    renderReport({ ...network(), timing: undefined }),
    renderReport({ ...network(), timing: undefined }),
  );
  const { timing } = network();
  const slower = renderReport({ ...network(), timing: { ...timing!, seconds: 99, threads: 1 } });
  const cut = (text: string) => text.replace(/<footer>.*<\/footer>/s, "");
  assert.is.not(slower, page);
  assert.is(cut(slower), cut(page));
});

test("text from the scenario is escaped wherever it stands", () => {
  const bad = `<script>alert("x")</script>'&`;
  const result = network({ names: [bad], title: bad });
  const fusion = result.fusion.map((each) => ({
    ...each,
    rule: bad,
    rules: { [bad]: 0.2 },
    votes: { [bad]: 0.1 },
  }));
  const hostile = renderReport({ ...result, repeat: bad, scenario: bad, arithmetic: bad, fusion });
  assert.not.ok(hostile.includes("<script>alert"));
  assert.is(hostile.match(/<script/g)!.length, 1);
  assert.is(hostile.match(/<\/script/g)!.length, 1);
  assert.is(findPlots(hostile)[0].lines[0].name, String(html`${bad}`));
});

test("an undefined figure prints n/a with its reason, as a title and as a footnote said once a table", () => {
  const section = page.slice(page.indexOf("<h2>novelty"), page.indexOf("<details>"));
  assert.ok(section.includes('<abbr title="no sample of class +1">n/a</abbr><sup>1</sup>'));
  assert.is(section.match(/<li>n\/a: no sample of class \+1<\/li>/g)!.length, 1);
  assert.ok(section.includes("no events in the stream of this node"));
});

test("each node's learners stand above the trivial predictors", () => {
  const section = page.slice(page.indexOf("<h2>faults <small>"));
  assert.match(section, /dual-greedy<\/th>.*?majority received<\/th>.*?last received<\/th>/s);
  assert.ok(section.includes("<td>0/22</td><td>0</td>"), "the majority finds no event and raises no alarm");
});

test("a learner has one colour in every plot, a plot for each node, learner and figure", () => {
  const plots = findPlots(page);
  assert.is(plots.length, 2 * 4 * 3 * 3);
  assert.equal([...new Set(plots.map(({ unit }) => unit))], ["share wrong", "vectors", "samples of lag"]);
  const colours = new Map<string, Set<string>>();
  for (const { name, colour } of plots.flatMap(({ lines }) => lines)) {
    colours.set(name, (colours.get(name) ?? new Set()).add(colour));
  }
  assert.ok([...colours.values()].every((set) => set.size === 1));
  assert.is(new Set([...colours.values()].flatMap((set) => [...set])).size, 6);
});

test("each task's verdict comes first: what to take on which node, beside what a node could say without a learner", () => {
  const verdicts = [...page.matchAll(/<p class="take">(.*?)<\/p>/g)].map(([, headline]) => headline);
  assert.is(verdicts.length, 2);
  assert.match(
    verdicts[1],
    /^On this seed, (take [\w-]+|nothing beats the (last label|labels&#39; majority)) on mote-/,
  );
  assert.ok(
    page.indexOf('class="take"') < page.indexOf("<dl>") && page.indexOf("<dl>") < page.indexOf("<table"),
  );
  assert.match(page, /; the majority of the labels received 0\.\d{3}, the last of them 0\.\d{3}\.<\/li>/);
  const [best] = groupTasks(network({ kind: "regression" }))
    .slice(1)
    .map(judgeTask);
  const rmse = (name: string) =>
    network({ kind: "regression" }).nodes.map(
      ({ learners }) => learners.find((each) => each.name === name)?.metrics.rmse as number,
    );
  const mean = (all: readonly number[]) => all.reduce((sum, each) => sum + each, 0) / all.length;
  const least = Math.min(...["olk-c", "dual-greedy", "kernel-perceptron"].map((name) => mean(rmse(name))));
  assert.match(
    best.sentences[0],
    new RegExp(`^[\\w-]+ has RMSE ${least.toPrecision(4)} in \\d+ bytes, .* over the nodes; the mean of`),
  );
});

test("a node's readings and events stand on one axis, and each learner's found events below", () => {
  assert.not.ok(page.includes("Readings and events"), "nothing was recorded");
  const result = network({ nodes: 1 });
  const readings = { at: [10, 20], channels: [{ low: [1, 2], high: [3, 4] }] };
  const learners = result.nodes[0].learners.map((each, i) => ({
    ...each,
    columns: { features: ["<temp>"], label: "y", leftOut: [] },
    ...(i % 3 === 0 && { readings }),
    runs: [{ from: 5, to: 9, truth: 1, found: i % 3 === 0 }],
  }));
  const drawn = renderReport({ ...result, nodes: [{ node: "m", learners }] });
  const section = drawn.slice(drawn.indexOf("<h2>faults <small>"));
  assert.match(section, /<h3>Readings and events<\/h3>.*aria-label="&lt;temp&gt; over samples, at m"/s);
  assert.match(section, /<rect class="span"[^>]*><title>class 1, samples 5 to 9<\/title>/);
  assert.match(section, /<rect class="bar"[^>]*fill="var\(--c\d\)"><title>olk-c: found class 1/);
  assert.match(section, /<rect class="bar"[^>]*fill="var\(--muted\)"><title>dual-greedy: missed class 1/);
  assert.not.ok(drawn.includes("<temp>"));
});

/** Nodes with a learner "a" and trivial predictors of these balanced accuracies, errors and events found. */
function judgeNodes(...scores: readonly (readonly [learner: Partial<Scores>, last: Partial<Scores>])[]) {
  const result = network({ nodes: scores.length, names: ["a"] });
  const nodes = result.nodes.map(({ node, learners }, i) => {
    const [learner, last] = scores[i];
    const each = learners.find(({ task }) => task === "faults") as LearnerResult;
    const majority = { ...each.trivial.majority, balancedAccuracy: 0.5 };
    const trivial = { majority, last: { ...each.trivial.last, ...last } };
    return { node, learners: [{ ...each, metrics: { ...each.metrics, ...learner }, trivial }] };
  });
  return judgeTask(groupTasks({ ...result, nodes })[0]);
}

const oneNode = (learner: Partial<Scores>, last: Partial<Scores>) => judgeNodes([learner, last]);

test("of many nodes a verdict has the number, and the name of a lone one", () => {
  const ahead = [{ balancedAccuracy: 0.7 }, { balancedAccuracy: 0.6 }] as const;
  const behind = [{ balancedAccuracy: 0.6 }, { balancedAccuracy: 0.6 }] as const;
  const { headline } = judgeNodes(...Array.from({ length: 13 }, () => ahead), behind);
  assert.is(headline, "On this seed, take a on 13 nodes; nothing beats the last label on mote-14.");
});

test("a verdict says where nothing beats a baseline, and why a learner that errs less is judged worse", () => {
  const found = { events: 12, eventsFound: 3 };
  const ahead = oneNode({ balancedAccuracy: 0.7 }, { balancedAccuracy: 0.6 });
  assert.is(ahead.headline, "On this seed, take a on mote-1.");
  assert.not.ok(ahead.sentences.some((text) => text.includes("isn't better")));
  const equal = oneNode({ balancedAccuracy: 0.6 }, { balancedAccuracy: 0.6 });
  assert.is(equal.headline, "On this seed, nothing beats the last label on mote-1.");
  const rare = oneNode(
    { balancedAccuracy: 0.55, error: 0.1, ...found },
    { balancedAccuracy: 0.645, error: 0.2, events: 12, eventsFound: 8 },
  );
  assert.is(
    rare.sentences[1],
    "a isn't better than the last label on mote-1 (bal. acc. 0.550, 0.645): its error is less (0.100, 0.200), but it finds 3 of 12 events, the last label 8.",
  );
  const none = oneNode({ balancedAccuracy: { why: "no sample of class 1" } }, {});
  assert.is(none.headline, "No learner has a bal. acc. here.");
});

test("each learner is held to the labels that it received itself, where learners ask for different ones", () => {
  const result = network({ nodes: 1, names: ["a", "b"] });
  const [{ node, learners }] = result.nodes;
  const own = learners.filter(({ task }) => task === "faults");
  const judge = (balanced: readonly number[], last: readonly number[]) => {
    const results = own.map((each, i) => ({
      ...each,
      metrics: { ...each.metrics, balancedAccuracy: balanced[i] },
      trivial: {
        majority: { ...each.trivial.majority, balancedAccuracy: 0.5 },
        last: { ...each.trivial.last, balancedAccuracy: last[i] },
      },
    }));
    return judgeTask(groupTasks({ ...result, nodes: [{ node, learners: results }] })[0]);
  };
  const { headline, sentences } = judge([0.6, 0.7], [0.55, 0.75]);
  assert.is(headline, "On this seed, nothing beats the last label on mote-1.");
  assert.match(
    sentences[0],
    /^b has bal\. acc\. 0\.700 .*; the majority .* received 0\.500, the last of them 0\.750\.$/,
  );
  assert.match(sentences[1], /^b isn't better than the last label on mote-1 \(bal\. acc\. 0\.700, 0\.750\)/);
  assert.is(judge([0.6, 0.7], [0.65, 0.55]).headline, "On this seed, take b on mote-1.");
});

test("the terminal has each task's verdict below its table", () => {
  const text = renderTable(network(), { columns: 400 });
  assert.equal(
    [...text.matchAll(/^verdict +(.*)$/gm)].map(([, headline]) => headline),
    groupTasks(network()).map((task) => judgeTask(task).headline),
  );
});

test("a regression task is judged by its RMSE", () => {
  const regression = renderReport(network({ kind: "regression" }));
  const section = regression.slice(regression.indexOf("<h2>faults <small>"));
  assert.ok(section.includes(">RMSE</th>"));
  assert.match(section, /mean received<\/th>.*?last received<\/th>/s);
  assert.not.ok(section.slice(0, section.indexOf("</table>")).includes("AUC"));
  assert.ok(findPlots(regression).some(({ unit }) => unit === "RMSE"));
});

test("of more than 12 nodes come totals, then the worst nodes, then all of them folded away", () => {
  const large = renderReport(network({ nodes: 30 }));
  const [, section] = large.split("<h2>faults <small>");
  const places = [
    'class="totals"',
    "Worst 6 of 30 nodes by bal. acc.",
    'class="scores"',
    "<summary>All 30 nodes",
  ];
  const found = places.map((part) => section.indexOf(part));
  assert.ok(found[0] > 0 && found.every((at, i) => i === 0 || at > found[i - 1]), found.join());
  const [above, folded] = section.split('<details class="all"');
  assert.is(above.match(/scope="rowgroup"/g)?.length, 6);
  assert.is(folded.match(/scope="rowgroup"/g)?.length, 30);
  assert.match(large, /<dd>30<\/dd>/);
  assert.not.ok(renderReport(network({ nodes: 12 })).includes('class="all"'));
  const [hostile] = network({ nodes: 1 }).nodes;
  const nodes = Array.from({ length: 13 }, () => ({ ...hostile, node: `"><script>` }));
  assert.not.ok(renderReport({ ...network(), nodes }).includes('"><script>'));
});

test("learners that store no vectors have no drawings of a dictionary", () => {
  assert.match(page, /<summary>Dictionary fill<\/summary>/);
  const result = network();
  const nodes = result.nodes.map(({ node, learners }) => ({
    node,
    learners: learners.map((each) => ({ ...each, budget: 0 })),
  }));
  assert.not.match(renderReport({ ...result, nodes }), /Dictionary fill/);
});

test("learners that are compared on one seed are said to have no intervals", () => {
  assert.match(page, /one seed has no intervals; <code>motelearn sweep<\/code>/);
  const result = network();
  const alone = result.nodes.map(({ node, learners }) => ({ node, learners: learners.slice(0, 1) }));
  assert.not.match(renderReport({ ...result, nodes: alone }), /how sure/);
});

test("the fusion section stands only where a fusion centre decided", () => {
  assert.ok(page.includes("rule <strong>chair-varshney</strong>, wrong in 0.041 of its 4690 decisions"));
  assert.ok(page.includes("<strong>mote-4</strong>, noticed at decision 812; its rate until then: 0.051"));
  assert.not.ok(renderReport({ ...network(), fusion: [] }).includes('id="fusion"'));
});

test("state hashes are folded away, all of them", () => {
  for (const { stateHash, nodeHash } of network().nodes.flatMap(({ learners }) => learners)) {
    assert.ok(page.includes(`<code>${stateHash}</code>`) && page.includes(`<code>${nodeHash}</code>`));
  }
});

test("a result without curves or nodes still makes a page", () => {
  const none: Curve = { at: [], value: [] };
  const result = network();
  const nodes = result.nodes.map(({ node, learners }) => ({
    node,
    learners: learners.map((each) => ({
      ...each,
      curves: { error: none, idealError: none, size: none, lag: none },
    })),
  }));
  assert.match(renderReport({ ...result, nodes }), /nothing to draw/);
  assert.match(renderReport({ ...result, nodes: [], fusion: [] }), /<\/html>/);
});

test.run();
