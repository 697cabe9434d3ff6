import { test } from "uvu";
import { survivesStarts } from "./recorded.ts";

const KEY = Uint8Array.from({ length: 16 }, (_, i) => 17 * i);

test("with 30 % of frames lost, doubled, put off or damaged, and starts of both ends, the final state is the same", () => {
  for (let seed = 1; seed <= 20; seed++) survivesStarts(seed, KEY);
});

test.run();
