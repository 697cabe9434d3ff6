import type { Command } from "commander";
import { UserError } from "../../host/errors.ts";
import { checkTables, writeRows } from "../../host/files/csv-files.ts";
import type { WrittenLabel } from "../../host/streams/class-names.ts";
import { scoredTruth } from "../../host-sim/scoring/scorer.ts";
import { decidedClass } from "../../src/learn/learner.ts";
import type { DataFlags } from "./data-options.ts";
import { type Evaluation, NOVELTY_CLASSES } from "./evaluation.ts";
import type { PassWatch, SampleOf } from "./one-pass.ts";

interface PredictionFlags extends Pick<DataFlags, "train" | "repeat"> {
  readonly predictions?: string;
  readonly test?: string;
}

/** A sample as it was predicted; see `PassWatch.predicted`. */
interface Predicted {
  readonly of: SampleOf;
  readonly row: number;
  readonly decision: number;
  readonly target: number;
}

export function addPredictionsOption(command: Command): Command {
  return command.option(
    "--predictions <file>",
    "write each sample's prediction, made before its label came, as a row of a CSV table: of (train or test), row (from 1), label, prediction, decision; one pass",
  );
}

/** Throws a UserError where --predictions can't be written. Call it before the run. */
export function checkPredictions({ predictions, train, test, repeat }: PredictionFlags): void {
  if (predictions === undefined) return;
  if (repeat > 1)
    throw new UserError(
      `--predictions: takes one pass, got --repeat ${repeat}; take --shuffle for its order`,
    );
  checkTables("--predictions", [predictions], test === undefined ? [train] : [train, test]);
}

/** The class of a label or a decision, as the file writes it; undefined: none. */
function writtenClass({ task, train }: Evaluation, target: number): WrittenLabel | undefined {
  const names = train.labels ?? NOVELTY_CLASSES;
  const place = task === "multiclass" ? target : (scoredTruth(task, target) + 1) / 2;
  return names[place];
}

/** The predictions of a pass, in their order. */
export class Predictions {
  private readonly all: Predicted[] = [];

  readonly watch: PassWatch = {
    predicted: (of, row, decision, target) => {
      this.all.push({ of, row, decision, target });
    },
  };

  write(path: string, result: Evaluation): void {
    const { task } = result;
    const present = (value: number) => (Number.isNaN(value) ? undefined : value);
    const written = task === "regression" ? present : (value: number) => writtenClass(result, value);
    const decided = (decision: number) => (task === "regression" ? decision : decidedClass(task, decision));
    const rows = this.all.map(({ of, row, decision, target }) => ({
      ...{ of, row: row + 1, label: written(target) },
      ...{ prediction: written(decided(decision)), decision: present(decision) },
    }));
    writeRows(path, "--predictions", rows);
  }
}
