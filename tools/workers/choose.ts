// A thread of `choose`.
import { workerData } from "node:worker_threads";
import { answer } from "../../host-sim/sweep/threads.ts";
import { readTrain } from "../choice/read-train.ts";
import { type Trial, tryOn } from "../choice/try.ts";
import { type DataFlags, shuffleOf } from "../cli/data-options.ts";
import { isUsersFault } from "../cli/exit.ts";
import { blamePlugin, catalogueWith } from "../cli/plugins.ts";

const flags = workerData as DataFlags & { readonly plugin: readonly string[] };
const catalogue = await catalogueWith(flags.plugin);
const { repeat, novel } = flags;
let reading: ReturnType<typeof readTrain> | undefined;

answer(async (trial: Trial) => {
  reading ??= readTrain(flags);
  const data = await reading;
  try {
    return tryOn(catalogue, data, { shuffle: shuffleOf(flags), repeat, novel }, trial);
  } catch (error) {
    throw blamePlugin(error);
  }
}, isUsersFault);
