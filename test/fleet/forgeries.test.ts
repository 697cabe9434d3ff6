/** What a gateway says of forged frames and labels: the first at once, more after a minute, none lost to a full log. */
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Forgeries } from "../../fleet/gateway/forgeries.ts";

const MINUTE_MS = 60_000;

/** A clock, a log that takes a line if `open`, and what it took. */
function watched() {
  const clock = { at: 0 };
  const log = { open: true, lines: [] as string[] };
  const say = (text: string) => {
    if (log.open) log.lines.push(text);
    return log.open;
  };
  return { clock, log, forgeries: new Forgeries(say, () => clock.at) };
}

test("the first are said at once, further ones after a minute, and those of a restarted node anew", () => {
  const { clock, log, forgeries } = watched();
  for (const count of [0, 2, 5]) forgeries.report("labels", count);
  clock.at = MINUTE_MS;
  forgeries.report("labels", 5);
  clock.at += MINUTE_MS;
  forgeries.report("labels", 1);
  assert.equal(
    log.lines.map((line) => line.split(":")[0]),
    [2, 3, 1].map((count) => `${count} labels that came to the node had a wrong tag`),
  );
});

test("what a full log didn't take is said once it takes lines again, though no more came", () => {
  const { log, forgeries } = watched();
  log.open = false;
  forgeries.report("sent", 4);
  log.open = true;
  forgeries.report("sent", 4);
  forgeries.report("sent", 4);
  assert.equal(
    log.lines.map((line) => line.split(":")[0]),
    ["4 frames to the node lacked its key"],
  );
});

test.run();
