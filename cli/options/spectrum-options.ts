import { type Command, InvalidArgumentError } from "commander";
import { wholeNumber } from "../../host/terminal/arguments.ts";
import type { SpectrumOption } from "../../src/signal/spectrum.ts";

/** Flags of spectral features, named as the options are. */
export type SpectrumFlags = SpectrumOption;

/** For commander: reads frequencies with commas between. */
function frequencies(text: string): number[] {
  const numbers = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  if (numbers.every((f) => f > 0 && f < 0.5)) return numbers;
  throw new InvalidArgumentError("Takes numbers > 0 and < 0.5, in cycles a reading: 0.05,0.1.");
}

/** Adds the options of spectral features. */
export function addSpectrumOptions(command: Command): Command {
  return command
    .option(
      "--bands <n>",
      "levels of n bands of each sensor's spectrum, crest factor, zero crossings; takes a --window of 64, 128, 256 or 512",
      wholeNumber(1, 128),
    )
    .option("--lines <list>", "with --bands: levels of single lines, too, in cycles a reading", frequencies)
    .option(
      "--burst <n>",
      "with --bands: consecutive readings of each sensor in a sample (default: 1)",
      wholeNumber(1, 512),
    );
}

/** The spectral options on the command line. */
export function readSpectrum({ bands, lines, burst }: SpectrumFlags): SpectrumOption {
  return { ...(bands && { bands }), ...(lines && { lines }), ...(burst && { burst }) };
}
