import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as assert from "uvu/assert";
import { renderReport } from "../../host-sim/report/page.ts";
import { groupTasks } from "../../host-sim/report/tasks.ts";
import { worstFirst } from "../../host-sim/report/totals.ts";
import { open, startBrowser } from "../fleet/browser.ts";
import { test } from "../tools/contained.ts";
import { network } from "./results.ts";

const NODES = 64;

test("a report of 64 nodes opens from a file, folds all nodes away, sorts and filters them", async () => {
  const folder = mkdtempSync(join(tmpdir(), "motelearn-report-"));
  const browser = await startBrowser();
  try {
    const result = network({ nodes: NODES });
    const file = join(folder, "large.html");
    writeFileSync(file, renderReport(result));
    const { page, wrong, asked } = await open(browser, pathToFileURL(file).href);
    const all = page.locator("details.all").last();
    const charts = all.locator("> .node .chart:visible");
    assert.is(await charts.count(), 0, "all nodes are folded away");
    await all.locator("> summary").click();
    assert.is(await charts.count(), NODES * 3);
    const names = () => all.locator(".scores tbody:visible th[scope=rowgroup]").allTextContents();
    assert.equal(
      await names(),
      result.nodes.map(({ node }) => node),
    );
    await all.locator("select").selectOption("worst");
    const [, faults] = groupTasks(result);
    assert.equal(
      await names(),
      worstFirst(faults).map(({ node }) => node),
    );
    await all.locator("input").fill("MOTE-6");
    assert.equal((await names()).sort(), ["mote-6", "mote-60", "mote-61", "mote-62", "mote-63", "mote-64"]);
    assert.equal(wrong, []);
    assert.equal([...asked], ["null"], "nothing but the file is asked for");
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
});

test("of more than 500 nodes the report lists the worst, and says where all are", () => {
  const huge = renderReport(network({ nodes: 503 }));
  assert.match(
    huge,
    /The worst 500 of 503 nodes; <code>--csv FILE<\/code> and <code>--json<\/code> have all/,
  );
  assert.match(huge, /have the hashes of all 503 nodes/);
  const [table] = huge.split('<details class="all"')[1].split("</table>");
  assert.is(table.match(/rowgroup/g)?.length, 500);
});

test.run();
