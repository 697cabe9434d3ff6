/**
 * Throws a RangeError that says what is wrong with samples to train on: each takes a label, all have one
 * length and are finite.
 */
export function checkSamples(x: readonly ArrayLike<number>[], y: ArrayLike<number>): void {
  if (x.length === 0 || y.length !== x.length) {
    throw new RangeError(
      `samples: got ${x.length} with ${y.length} labels; takes one or more, each with its label`,
    );
  }
  const dimension = x[0].length;
  x.forEach((row, i) => {
    if (row.length !== dimension) {
      throw new RangeError(`sample ${i}: got ${row.length} numbers; takes ${dimension}, as the first has`);
    }
    const fault = [...Array.from(row), y[i]].find((value) => !Number.isFinite(Math.fround(value)));
    if (fault !== undefined) throw new RangeError(`sample ${i}: got ${fault}; takes finite numbers`);
  });
}
