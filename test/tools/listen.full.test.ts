import { statSync } from "node:fs";
import * as assert from "uvu/assert";
import { start } from "../cli/program.ts";
import { test } from "./contained.ts";
import { inFolder } from "./stations.ts";

const readMode = (path: string) => statSync(path).mode & 0o777;

test("the sockets that fusion and monitor make have mode 600", async () => {
  const centre = inFolder("mode-centre");
  const fusion = start("fusion", "--listen", `unix:${centre}`, "--scenario", "one-scene");
  await fusion.says("listening");
  assert.is(readMode(centre), 0o600);
  const share = inFolder("mode-share");
  const monitor = start("monitor", "--port", `unix:${centre}`, "--share", `unix:${share}`, "--json");
  await monitor.says("status");
  assert.is(readMode(share), 0o600);
  for (const { child, ended } of [monitor, fusion]) {
    child.kill("SIGINT");
    assert.is((await ended).code, 130);
  }
});

test.run();
