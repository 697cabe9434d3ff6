// What goes wrong, from outside: keys of a scenario's `signal` and `labels.noise`.
import { withDefaults } from "motelearn/simulator";

/** @type {import("motelearn/simulator").OptionSpec[]} */
const SATURATION_OPTIONS = [
  {
    name: "limit",
    type: "number",
    min: 0.01,
    max: 1000,
    default: 2,
    doc: "readings are held within this many standard deviations of each column's mean",
  },
];

/** @type {import("motelearn/simulator").OptionSpec[]} */
const LAZY_OPTIONS = [
  {
    name: "rate",
    type: "number",
    min: 0,
    max: 1,
    default: 0.1,
    doc: "probability that a label is the last one again",
  },
];

/** @type {Record<string, import("motelearn/simulator").SignalStageEntry>} */
export const signalStages = {
  saturation: {
    doc: "an amplifier that saturates",
    options: SATURATION_OPTIONS,
    make(given, { statistics }) {
      const filled = withDefaults("saturation", SATURATION_OPTIONS, given);
      const { limit } = /** @type {{ limit: number }} */ (filled);
      return {
        apply(x) {
          for (let j = 0; j < x.length; j++) {
            const mean = statistics?.mean[j] ?? 0;
            const most = limit * (statistics?.deviation[j] ?? 1);
            x[j] = Math.min(Math.max(x[j], mean - most), mean + most);
          }
          return true;
        },
      };
    },
  },
};

/** @type {Record<string, import("motelearn/simulator").LabelNoiseEntry>} */
export const labelNoises = {
  lazy: {
    doc: "a centre that now and then says what it said last",
    options: LAZY_OPTIONS,
    make(given, random) {
      const { rate } = /** @type {{ rate: number }} */ (withDefaults("lazy", LAZY_OPTIONS, given));
      let last = Number.NaN;
      return {
        corrupt(label) {
          if (Number.isNaN(last) || random.uniform() >= rate) last = label;
          return last;
        },
      };
    },
  },
};
