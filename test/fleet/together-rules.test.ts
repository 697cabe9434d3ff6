import { test } from "uvu";
import * as assert from "uvu/assert";
import { readFleet } from "../../fleet/gateway/fleet-file.ts";
import { fleet } from "./fleets.ts";

const PUMPS = ["pump-1", "pump-2", "fan"].map((name) => ({ name, port: `tcp://127.0.0.1:1/${name}` }));

function nodes(...rest: readonly object[]) {
  return PUMPS.map((node, i) => ({ ...node, port: `unix:/tmp/${node.name}`, ...rest[i] }));
}

test("a fleet file names groups of nodes that learn together; without a list all nodes are one", () => {
  const of = (together?: object) =>
    readFleet(fleet("together", nodes(), { ...(together && { together }) })).together;
  assert.is(of(), undefined);
  assert.equal(of({}), { vectors: 64, groups: [["pump-1", "pump-2", "fan"]], start: "nothing" });
  assert.equal(of({ vectors: 0, groups: [["pump-1", "pump-2"]], start: "group" }), {
    vectors: 0,
    groups: [["pump-1", "pump-2"]],
    start: "group",
  });
});

test("groups that can't be are refused in a line that says where and why", () => {
  const refused = (together: object, why: RegExp, ...rest: readonly object[]) =>
    assert.throws(() => readFleet(fleet("refused", nodes(...rest), { together })), why);
  refused({ groups: [["pump-3"]] }, /together\.groups\.0: no node pump-3; did you mean pump-1 or pump-2\?/);
  refused({ groups: [["fan"], ["pump-1", "fan"]] }, /together\.groups\.1: fan is in another group, too/);
  refused({ groups: [["fan", "fan"]] }, /together\.groups\.0: /);
  refused({ groups: [[]] }, /together\.groups\.0: /);
  refused({ vectors: 5000 }, /together\.vectors: got 5000/);
  refused({ group: [] }, /together.*group/);
  refused({ start: "fleet" }, /together\.start: .*group.*nothing/);
  const channels = (count: number) => ({
    channels: Array.from({ length: count }, (_, i) => ({ name: `c${i}` })),
  });
  refused({}, /groups\.0: pump-1 and fan aren't alike; .* as many channels/, channels(2), {}, channels(3));
  const classes = (...names: string[]) => ({ classes: names });
  refused({}, /pump-1 and pump-2 aren't alike; .*the same classes/, classes("a", "b"), classes("b", "a"));
  refused({}, /pump-2 has 3 classes; a group's nodes have two/, {}, classes("a", "b", "c"));
  const features = (window: number) => ({ features: { window } });
  refused({}, /pump-2 and fan aren't alike; .*the same features/, {}, features(4), features(8));
  assert.throws(
    () =>
      readFleet(fleet("clustered", nodes(), { together: {}, cluster: { servers: ["nats://localhost:1"] } })),
    /together: gateways of a cluster train no models; remove it, or cluster/,
  );
});

test.run();
