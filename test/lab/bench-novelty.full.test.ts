import { test } from "uvu";
import * as assert from "uvu/assert";
import { benchmarkNovelty, noveltyText } from "../../lab/bench/novelty/measure.ts";
import { noveltyStreams } from "../../lab/bench/novelty/streams.ts";
import { refuses } from "../cli/program.ts";

const streams = noveltyStreams(undefined);

test("a stream follows from its seed, and has events of its own length", async () => {
  for (const { name, read } of streams) {
    const [data, again, other] = await Promise.all([read(3, 3000), read(3, 3000), read(4, 3000)]);
    assert.equal(data.rows, again.rows, name);
    assert.not.equal(data.rows, other.rows, name);
    const events = data.labels.filter((y, t) => y < 0 && (t === 0 || data.labels[t - 1] > 0)).length;
    const share = data.labels.filter((y) => y < 0).length / data.count;
    assert.ok(events > 0 && share < 0.2, `${name}: ${events} events, ${share} of the samples`);
  }
});

test("on a machine every detector alarms at the promised rate, however late labels are", async () => {
  const machine = streams.filter(({ name }) => name === "drift");
  const results = await benchmarkNovelty(machine, [7], 3000);
  const promised = results.filter(({ detector, loss }) => detector.endsWith(", 1 %") && loss === 0);
  assert.is(promised.length, 12);
  for (const { detector, delay, falseAlarms } of promised)
    assert.ok(falseAlarms < 0.018, `${detector}, delay ${delay}: ${falseAlarms}`);
  assert.match(noveltyText(results, machine), /robust-z, 1 %/);
});

test("a folder without NAB is refused by the file that lacks", () => {
  refuses(
    ["bench", "--novelty", "--data", "/nowhere", "--samples", "500"],
    "combined_windows.json",
    "numenta/NAB",
  );
});

test.run();
