import { readFileSync } from "node:fs";
import * as assert from "uvu/assert";
import { exportSamples } from "../../fleet/gateway/export.ts";
import { FleetStore } from "../../fleet/store/fleet-store.ts";
import { test } from "./contained.ts";
import { HEARD, ServedGateway, SID } from "./served-gateway.ts";
import { inFolder } from "./stations.ts";

/** What every object of JavaScript has under a name. */
const NAMES = ["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf"];

for (const name of NAMES)
  test(`a node and a labeller named ${name} are as any other`, async () => {
    const served = await ServedGateway.start(`named-${name}`, name);
    const ask = async (path: string, options?: RequestInit) => {
      const response = await fetch(`${served.url}${path}`, options);
      return { status: response.status, text: await response.text() };
    };
    const body = JSON.stringify({ sid: SID, seq: 5, label: -1, by: name });
    const headers = { "content-type": "application/json" };
    assert.is((await ask(`/api/nodes/${name}/labels`, { method: "POST", headers, body })).status, 202);
    assert.is(JSON.parse((await ask(`/api/nodes/${name}`)).text).name, name);
    assert.match((await ask("/metrics")).text, new RegExp(`motelearn_node_connected\\{node="${name}"\\} 0`));
    const { rows, labels } = JSON.parse((await ask(`/api/nodes/${name}/history`)).text);
    assert.equal([rows.length > 0, labels[0].by, labels[0].y], [true, name, -1]);
    const others = NAMES.filter((each) => each !== name);
    for (const other of others) assert.is((await ask(`/api/nodes/${other}/history`)).status, 404, other);
    assert.equal(served.said, []);
    assert.equal(await served.close(), new Map([[5, -1]]));
    const store = new FleetStore(served.file);
    const table = inFolder(`${name}.csv`);
    assert.is(exportSamples(store, table, name), HEARD);
    store.close();
    assert.match(readFileSync(table, "utf8"), new RegExp(`^${name},${SID},5,\\d+,1,${name},5,-5,-1$`, "m"));
  });

test.run();
