import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { Random } from "../../../host/random.ts";
import { total } from "../../../host/statistics.ts";
import { StreamError } from "../../../host/streams/index.ts";
import { Elementary } from "../../../src/math/elementary.ts";

/** Grey frames of one size, 0..255, in the order of time. */
export interface Frames {
  readonly width: number;
  readonly height: number;
  /** width x height bytes each, row by row. */
  readonly frames: readonly Uint8Array[];
  /** Where it is known: 1 for the pixels of what isn't background. */
  readonly truth?: readonly Uint8Array[];
}

/** A generated scene of 48 x 32 pixels. */
export interface SceneOptions {
  readonly frames: number;
  /** Grey levels by which two travelling waves move a pixel up and down. */
  readonly ripple: number;
  /** Discs of 5 pixels' radius that cross the scene in all its frames. */
  readonly objects: number;
  /** Grey levels by which their stripes are off their level; 0: they are even. */
  readonly stripes: number;
}

const WIDTH = 48;
const HEIGHT = 32;
const RADIUS = 5;
const BACKGROUND = 120;
const OBJECT = 50;
/** Standard deviation of a pixel's noise, in grey levels. */
const NOISE = 1.5;

/** A wave through the scene: its phase at (x, y), frame t is across x + down y + pace t. */
interface Wave {
  readonly across: number;
  readonly down: number;
  readonly pace: number;
}

/** Rippling water, or a still room where `ripple` is 0, that dark discs cross from one side to the other. */
export function generatedScene(seed: number, scene: SceneOptions): Frames {
  const { frames, objects } = scene;
  const random = new Random(seed, "scene");
  const waves = Array.from({ length: 2 }, () => ({
    across: 0.2 + 0.3 * random.uniform(),
    down: 0.2 + 0.3 * random.uniform(),
    pace: 0.5 + random.uniform(),
  }));
  const paths = Array.from({ length: objects }, () => ({
    y: RADIUS + (HEIGHT - 2 * RADIUS) * random.uniform(),
    right: random.uniform() < 0.5,
  }));
  const drawn = Array.from({ length: frames }, (_, t) => {
    const along = -RADIUS + ((WIDTH + 2 * RADIUS) * t) / frames;
    const discs = paths.map(({ y, right }) => ({ x: right ? along : WIDTH - 1 - along, y }));
    return drawFrame(t, scene, discs, waves, random);
  });
  return {
    width: WIDTH,
    height: HEIGHT,
    frames: drawn.map(({ pixels }) => pixels),
    truth: drawn.map(({ mask }) => mask),
  };
}

function drawFrame(
  t: number,
  { ripple, stripes }: SceneOptions,
  discs: readonly { readonly x: number; readonly y: number }[],
  waves: readonly Wave[],
  random: Random,
) {
  const elementary = new Elementary();
  const pixels = new Uint8Array(WIDTH * HEIGHT);
  const mask = new Uint8Array(WIDTH * HEIGHT);
  for (let i = 0; i < pixels.length; i++) {
    const [x, y] = [i % WIDTH, Math.floor(i / WIDTH)];
    const disc = discs.find(
      (each) => (x - each.x) * (x - each.x) + (y - each.y) * (y - each.y) < RADIUS * RADIUS,
    );
    const ripples = waves.map(({ across, down, pace }) => elementary.sin(across * x + down * y + pace * t));
    const level = disc
      ? OBJECT + stripes * elementary.sin(x - disc.x)
      : BACKGROUND + (ripple / waves.length) * total(ripples);
    mask[i] = disc ? 1 : 0;
    pixels[i] = Math.round(level + NOISE * random.normal());
  }
  return { pixels, mask };
}

/**
 * The binary PGM files (P5, 8 bits) of a folder, in the order of their names. Throws a StreamError for a file
 * that isn't one, or of another size than the first, and for a folder without any.
 */
export function readFrames(folder: string): Frames {
  if (!statSync(folder).isDirectory())
    throw new StreamError(folder, undefined, "no folder", "a folder of frames is right");
  const files = readdirSync(folder).filter((name) => name.endsWith(".pgm"));
  if (files.length === 0)
    throw new StreamError(folder, undefined, "no .pgm file", "frames in binary PGM are right");
  const read = files.sort().map((name) => readPgm(join(folder, name)));
  const [{ width, height }] = read;
  read.forEach((frame, i) => {
    if (frame.width === width && frame.height === height) return;
    const size = `${frame.width} x ${frame.height} pixels`;
    throw new StreamError(
      join(folder, files[i]),
      undefined,
      size,
      `${width} x ${height}, as ${basename(files[0])}, is right`,
    );
  });
  return { width, height, frames: read.map(({ pixels }) => pixels) };
}

function readPgm(file: string): { width: number; height: number; pixels: Uint8Array } {
  const bytes = readFileSync(file);
  const header = /^P5(?:\s|#[^\n]*\n)+(\d+)(?:\s|#[^\n]*\n)+(\d+)(?:\s|#[^\n]*\n)+255\s/.exec(
    bytes.toString("latin1", 0, 1024),
  );
  const [width, height] = [Number(header?.[1]), Number(header?.[2])];
  const pixels = bytes.subarray(header?.[0].length ?? 0);
  if (!header || width < 1 || height < 1 || pixels.length !== width * height) {
    throw new StreamError(file, undefined, "no whole image", "binary PGM (P5) with values to 255 is right");
  }
  return { width, height, pixels };
}
