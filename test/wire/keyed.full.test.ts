import { test } from "uvu";
import * as assert from "uvu/assert";
import { Ends } from "./ends.ts";
import { finished, recorded, stream, withoutWire } from "./recorded.ts";

const KEY = Uint8Array.from({ length: 16 }, (_, i) => 17 * i);

test("with 30 % of frames lost, doubled, put off or damaged, and starts of both ends, the final state is the same", () => {
  for (let seed = 1; seed <= 20; seed++) {
    const samples = stream(seed);
    const ends = new Ends({ seed, rate: 0.3, fed: true, key: KEY, peer: recorded(samples) });
    assert.ok(
      ends.until(() => ends.station.node.labelled >= 37, 2000),
      `seed ${seed}`,
    );
    ends.restartNode();
    assert.ok(ends.until(() => ends.station.node.labelled >= 71, 2000));
    ends.restartPeer();
    assert.ok(ends.until(() => ends.station.node.labelled >= 101, 2000));
    ends.restartNode();
    ends.restartPeer();
    assert.ok(
      ends.until(() => finished(ends), 2000),
      `seed ${seed}: it gets through`,
    );
    assert.is(ends.station.node.stateHash(), withoutWire(samples).stateHash(), `seed ${seed}`);
  }
});

test.run();
