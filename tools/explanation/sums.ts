const f32 = Math.fround;

/** The decision's words, as hexadecimal digits. */
export function floatBits(value: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return view.getBigUint64(0).toString(16).padStart(16, "0");
}

/** Terms in four accumulators, as `Primitives.dot` adds products. */
export function addInLanes(terms: readonly number[]): number {
  const lanes = [0, 0, 0, 0];
  terms.forEach((term, j) => {
    lanes[j % 4] = f32(lanes[j % 4] + term);
  });
  return f32(f32(lanes[0] + lanes[2]) + f32(lanes[1] + lanes[3]));
}

/** Terms one after the other. */
export function addInTurn(terms: readonly number[]): number {
  return terms.reduce((sum, term) => f32(sum + term), 0);
}

/** The decided class and the second, the lowest of those with the second largest value. `values`: of each class. */
export function firstTwo(values: ArrayLike<number>, decided: number): [number, number] {
  let second = decided === 0 ? 1 : 0;
  for (let c = second + 1; c < values.length; c++)
    if (c !== decided && values[c] > values[second]) second = c;
  return [decided, second];
}

/** The decision's bits. Throws an Error if its parts come to others. */
export function checkedBits(total: number, decision: number): string {
  const bits = floatBits(decision);
  if (floatBits(total) !== bits) throw new Error(`parts come to ${total}, the decision is ${decision}`);
  return bits;
}
