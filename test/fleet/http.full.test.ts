import { test } from "../tools/contained.ts";
import { fuzzHttp } from "./http-fuzz.ts";

test("10,000 hostile requests, cut and stalled ones among them, end nothing and lose no label", async () => {
  await fuzzHttp(1, 10_000);
});

test.run();
