import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { metricsText } from "../../fleet/gateway/metrics.ts";

test("the dashboard shows each of the gateway's figures, and no other", async () => {
  const { text } = await metricsText([]);
  const served = new Set([...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name));
  const { panels } = JSON.parse(readFileSync("docs/grafana-fleet.json", "utf8")) as {
    panels: { targets: { expr: string }[] }[];
  };
  const shown = new Set(
    panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => expr.match(/motelearn_\w+/g) ?? [])),
  );
  assert.ok(served.size > 0);
  assert.equal([...shown].sort(), [...served].sort());
});

test.run();
