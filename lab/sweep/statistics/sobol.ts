/**
 * Primitive polynomials and initial direction numbers of Joe and Kuo, "Constructing Sobol sequences with better two-dimensional projections",
 * SIAM J. Sci. Comput. 30 (2008), file new-joe-kuo-6.21201: [a, m_1, m_2, ...] for each dimension from the second.
 */
const JOE_KUO: readonly (readonly number[])[] = [
  [0, 1],
  [1, 1, 3],
  [1, 1, 3, 1],
  [2, 1, 1, 1],
  [1, 1, 1, 3, 3],
  [4, 1, 3, 5, 13],
  [2, 1, 1, 5, 5, 17],
  [4, 1, 1, 5, 5, 5],
  [7, 1, 1, 7, 11, 19],
  [11, 1, 1, 5, 1, 1],
  [13, 1, 1, 1, 3, 11],
  [14, 1, 3, 5, 5, 31],
  [1, 1, 3, 3, 9, 7, 49],
  [13, 1, 1, 1, 15, 21, 21],
  [16, 1, 3, 1, 13, 27, 49],
  [19, 1, 1, 1, 15, 7, 5],
  [22, 1, 3, 1, 15, 13, 25],
  [25, 1, 1, 5, 5, 19, 61],
  [1, 1, 3, 7, 11, 23, 15, 103],
  [4, 1, 3, 7, 13, 13, 15, 69],
];

/** Dimensions that a sequence may have. */
export const SOBOL_DIMENSIONS = JOE_KUO.length + 1;

const BITS = 32;
/** 2^-32. */
const UNIT = 2.3283064365386963e-10;

/** Direction numbers of a dimension, from 0, as fractions of 2^32. */
function directions(dimension: number): Uint32Array {
  const v = new Uint32Array(BITS);
  if (dimension === 0) return v.map((_, i) => 1 << (BITS - 1 - i));
  const [a, ...m] = JOE_KUO[dimension - 1];
  const { length: degree } = m;
  for (let i = 0; i < BITS; i++) {
    if (i < degree) {
      v[i] = m[i] << (BITS - 1 - i);
      continue;
    }
    v[i] = v[i - degree] ^ (v[i - degree] >>> degree);
    for (let k = 1; k < degree; k++) if ((a >>> (degree - 1 - k)) & 1) v[i] ^= v[i - k];
  }
  return v;
}

/**
 * Sobol's sequence in [0, 1)^d, in the order of Gray codes (Antonov and Saleev), from its first point, the origin. The bits of each coordinate are
 * changed by a shift: 0 leaves them.
 */
export class Sobol {
  private readonly v: readonly Uint32Array[];
  private readonly x: Uint32Array;
  private index = 0;

  constructor(dimensions: number, shifts: readonly number[] = []) {
    if (dimensions > SOBOL_DIMENSIONS)
      throw new RangeError(`Sobol: got ${dimensions} dimensions, takes at most ${SOBOL_DIMENSIONS}`);
    this.v = Array.from({ length: dimensions }, (_, i) => directions(i));
    this.x = Uint32Array.from({ length: dimensions }, (_, i) => shifts[i] ?? 0);
  }

  next(): number[] {
    const point = Array.from(this.x, (bits) => bits * UNIT);
    const lowestZero = 31 - Math.clz32(~this.index & (this.index + 1));
    for (let i = 0; i < this.x.length; i++) this.x[i] ^= this.v[i][lowestZero];
    this.index++;
    return point;
  }
}
