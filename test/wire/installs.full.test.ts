import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { modelCrc } from "../../src/learn/model-bytes.ts";
import { IMAGE_STATUS } from "../../src/store/paged-image.ts";
import { LabelTag } from "../../src/wire/label-tag.ts";
import { drawItems, isFinished, LABELS, over, taggedItems, withoutWire } from "./installs.ts";
import { stream } from "./recorded.ts";
import { withSameCrc } from "./same-crc.ts";

test("installs among labels over a line that loses, doubles, delays and damages 30 % of frames: each once, and the state is that without a wire", () => {
  for (let seed = 1; seed <= 6; seed++) {
    const samples = stream(seed);
    const items = drawItems(seed, samples);
    const ends = over(seed, 0.3, items, samples);
    assert.ok(
      ends.until(() => isFinished(ends), 3000),
      `seed ${seed}: it gets through`,
    );
    assert.is(ends.station.node.stateHash(), withoutWire(samples, items).stateHash(), `seed ${seed}`);
    assert.is(ends.station.node.count("applied"), LABELS);
  }
});

test("the same with starts of the node at any moment, also while a model comes: no half of one is ever installed", () => {
  for (let seed = 1; seed <= 8; seed++) {
    const random = new Random(seed, "cuts");
    const samples = stream(seed);
    const items = drawItems(seed, samples);
    const crcs = new Set(items.map((item) => (item && "model" in item ? modelCrc(item.model) : 0)));
    const ends = over(seed, 0.2, items, samples);
    for (let cuts = 0; cuts < 15; cuts++) {
      const { station } = ends;
      const at = station.node.labelled + random.below(4);
      ends.until(() => ends.station.node.labelled >= at || isFinished(ends), 1000);
      if (cuts % 3 === 0)
        ends.until(() => ends.station.node.fleet!.stage.received > 0 || isFinished(ends), 100);
      ends.restartNode();
      if (cuts % 4 === 0) ends.restartPeer();
      assert.ok(crcs.has(ends.station.node.fleet!.model.crc));
    }
    assert.ok(
      ends.until(() => isFinished(ends), 3000),
      `seed ${seed}: it gets through`,
    );
    assert.is(ends.station.node.stateHash(), withoutWire(samples, items).stateHash(), `seed ${seed}`);
  }
});

test("the same with a label key and a relay that changes models at times: none of its bytes is ever installed", () => {
  const key = Uint8Array.from({ length: 16 }, (_, i) => i + 1);
  for (let seed = 1; seed <= 4; seed++) {
    const random = new Random(seed, "relay");
    const samples = stream(seed);
    const plain = drawItems(seed, samples);
    const tagged = taggedItems(new LabelTag(key), plain);
    const changed = tagged.map((item) =>
      item && "model" in item ? { ...item, model: withSameCrc(item.model, item.model.length - 8) } : item,
    );
    const items = [...tagged];
    const relay = (given: typeof items) => items.splice(0, items.length, ...given);
    const ends = over(seed, 0.2, items, samples, undefined, key);
    let refused = 0;
    for (let cuts = 0; cuts < 16; cuts++) {
      const changes = cuts % 2 === 0;
      relay(changes ? changed : tagged);
      const { labelled } = ends.station.node;
      const at = labelled + 3 + random.below(6);
      const isForged = () => ends.station.node.fleet!.stage.status === IMAGE_STATUS.forged;
      ends.until(() => ends.station.node.labelled >= at || isForged() || isFinished(ends), 100);
      if (isForged()) refused++;
      ends.restartNode();
      if (cuts % 4 === 0) ends.restartPeer();
    }
    relay(tagged);
    assert.ok(
      ends.until(() => isFinished(ends), 3000),
      `seed ${seed}: it gets through`,
    );
    assert.ok(refused > 3, `seed ${seed}: ${refused} were refused`);
    assert.is(ends.station.node.stateHash(), withoutWire(samples, plain).stateHash(), `seed ${seed}`);
  }
});

test.run();
