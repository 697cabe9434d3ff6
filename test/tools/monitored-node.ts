/** The node that tests of the monitor watch, and the samples and labels that it is given. */
export const NODE = {
  sid: 5,
  channels: 2,
  pending: 16,
  labelWindow: 16,
  learner: "olk-c",
  options: { budget: 8 },
};
export const COUNT = 100;
export const reading = (seq: number) => [((7 * seq) % 11) / 4 - 1, ((5 * seq) % 13) / 4 - 1];
export const labelAt = (seq: number) => (reading(seq)[0] * reading(seq)[1] > 0 ? 1 : -1);
