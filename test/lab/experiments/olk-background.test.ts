import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { StreamError } from "../../../host/streams/index.ts";
import { PapersData } from "../../../lab/experiments/lib/data.ts";
import { generatedScene, readFrames } from "../../../lab/experiments/lib/frames.ts";
import { Summary } from "../../../lab/experiments/lib/summary.ts";
import { judge } from "../../../lab/experiments/lib/verdict.ts";
import { OLK_BACKGROUND } from "../../../lab/experiments/olk-background.ts";

const [WATER, , NINE_FRAMES] = OLK_BACKGROUND;
const test = suite<{ folder: string }>("frames");

test.before.each((context) => {
  context.folder = mkdtempSync(join(tmpdir(), "frames-"));
  mkdirSync(join(context.folder, "frames"));
});

test.after.each(({ folder }) => rmSync(folder, { recursive: true }));

function pgm(width: number, height: number, grey: (i: number) => number): Buffer {
  const pixels = Uint8Array.from({ length: width * height }, (_, i) => grey(i));
  return Buffer.concat([Buffer.from(`P5\n# made for a test\n${width} ${height}\n255\n`), pixels]);
}

function refusal(folder: string): string {
  try {
    readFrames(join(folder, "frames"));
  } catch (error) {
    assert.instance(error, StreamError);
    return (error as StreamError).message.slice(folder.length + 1);
  }
  return "read";
}

test("a generated scene repeats by seed, and only its marked pixels are the object's", () => {
  const options = { frames: 20, ripple: 0, objects: 1, stripes: 0 };
  const scene = generatedScene(1, options);
  assert.equal(generatedScene(1, options), scene);
  assert.not.equal(generatedScene(2, options).frames, scene.frames);
  scene.frames.forEach((frame, t) => {
    frame.forEach((level, i) => {
      assert.is(level < 85, scene.truth?.[t][i] === 1);
    });
  });
});

test("frames are read in the order of their names", ({ folder }) => {
  writeFileSync(
    join(folder, "frames/b.pgm"),
    pgm(3, 2, () => 7),
  );
  writeFileSync(
    join(folder, "frames/a.pgm"),
    pgm(3, 2, (i) => 10 + i),
  );
  const { width, height, frames, truth } = readFrames(join(folder, "frames"));
  assert.equal([width, height, truth], [3, 2, undefined]);
  assert.equal(
    frames.map((frame) => [...frame]),
    [
      [10, 11, 12, 13, 14, 15],
      [7, 7, 7, 7, 7, 7],
    ],
  );
});

test("what isn't frames of one size is refused in a line that names the file", ({ folder }) => {
  assert.is(refusal(folder), "frames: no .pgm file; frames in binary PGM are right");
  writeFileSync(
    join(folder, "frames/a.pgm"),
    pgm(3, 2, () => 7),
  );
  writeFileSync(
    join(folder, "frames/b.pgm"),
    pgm(2, 2, () => 7),
  );
  assert.is(refusal(folder), "frames/b.pgm: 2 x 2 pixels; 3 x 2, as a.pgm, is right");
  writeFileSync(join(folder, "frames/b.pgm"), pgm(3, 2, () => 7).subarray(0, -1));
  assert.is(refusal(folder), "frames/b.pgm: no whole image; binary PGM (P5) with values to 255 is right");
});

test("on moving water OLK_N finds the object at few false alarms; an even one is learned as background", async () => {
  const summary = new Summary([await WATER.run(1, new PapersData())]);
  assert.ok(summary.mean("olk 10/found") > 95);
  assert.ok(summary.mean("olk 10/alarms") < 1);
  assert.ok(summary.mean("olk 5/found") > 95);
  assert.ok(summary.mean("olk 5/even") < 60);
});

test("every example tries every OLK_N on an even object too, and a miss keeps the verdict from holding", async () => {
  for (const experiment of OLK_BACKGROUND) {
    const runs = [await experiment.run(1, new PapersData()), await experiment.run(2, new PapersData())];
    const summary = new Summary(runs);
    const tried = experiment.rows
      .filter(({ name }) => /^olk .*\/found$/.test(name))
      .map(({ name }) => name.split("/")[0]);
    const found = tried.map((key) => summary.mean(`${key}/even`));
    const { outcome, text } = judge(experiment, summary);
    if (found.some((share) => share < 90)) assert.is.not(outcome, "holds", experiment.id);
    assert.is(text.match(/even object/g)?.length, tried.length, experiment.id);
  }
});

test("in nine frames of a room OLK_N finds both subjects", async () => {
  const summary = new Summary([await NINE_FRAMES.run(1, new PapersData())]);
  assert.ok(summary.mean("olk 20/found") > 90);
  assert.ok(summary.mean("olk 20/alarms") < 10);
});

test("given frames take the place of the generated scene, once, and only the share of foreground is printed", async ({
  folder,
}) => {
  const grey = (frame: number, i: number) => (frame === 39 && i < 6 ? 200 : 100);
  for (let t = 0; t < 40; t++) {
    writeFileSync(
      join(folder, `frames/${100 + t}.pgm`),
      pgm(4, 3, (i) => grey(t, i)),
    );
  }
  const data = new PapersData(folder);
  const summary = new Summary([await WATER.run(1, data), await WATER.run(2, data)]);
  assert.is(summary.statistic("olk 5/share").runs, 1);
  assert.is(summary.curves["olk 5"].value.at(-1), 50);
  assert.is(summary.curves["olk 5"].value.at(-2), 0);
  assert.is(summary.has("olk 5/found"), false);
  assert.is(judge(WATER, summary).outcome, "measured");
});

test.run();
