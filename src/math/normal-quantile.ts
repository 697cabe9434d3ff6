// The quantile of the standard normal distribution, in doubles with + - * / and sqrt only, so that it has the same
// bits on every engine.

/** Coefficients of Algorithm AS 241's three rational functions, lowest power first, rounded to double. */
const CENTRE: readonly number[] = Object.freeze([
  3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987,
  67265.7709270087, 33430.57558358813, 2509.0809287301227,
]);
const CENTRE_BELOW: readonly number[] = Object.freeze([
  1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271,
  28729.085735721943, 5226.495278852546,
]);
const FLANK: readonly number[] = Object.freeze([
  1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684,
  0.2417807251774506, 0.022723844989269184, 0.0007745450142783414,
]);
const FLANK_BELOW: readonly number[] = Object.freeze([
  1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457,
  0.0005475938084995345, 1.0507500716444169e-9,
]);
const TAIL: readonly number[] = Object.freeze([
  6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124,
  0.0012426609473880784, 2.7115555687434876e-5, 2.0103343992922881e-7,
]);
const TAIL_BELOW: readonly number[] = Object.freeze([
  1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133,
  1.8463183175100548e-5, 1.421511758316446e-7, 2.0442631033899397e-15,
]);

function polynomial(coefficients: readonly number[], x: number): number {
  let sum = 0;
  for (let k = coefficients.length - 1; k >= 0; k--) sum = sum * x + coefficients[k];
  return sum;
}

function ratio(above: readonly number[], below: readonly number[], x: number): number {
  return polynomial(above, x) / polynomial(below, x);
}

/** -log p for 0 < p <= 1: 2^k p lies in (sqrt(1/2), sqrt 2], and log x = 2 artanh((x - 1) / (x + 1)). */
function minusLog(p: number): number {
  let x = p;
  let k = 0;
  for (; x <= Math.SQRT1_2; k++) x *= 2;
  const s = (x - 1) / (x + 1);
  let sum = 0;
  // |s| < 0.172: what follows s^25 is below 2^-60 of the sum.
  for (let n = 25; n > 0; n -= 2) sum = sum * s * s + 1 / n;
  return k * Math.LN2 - 2 * s * sum;
}

/**
 * The z for which a standard normal variable is at most z with probability p, 0 < p < 1. Wichura's Algorithm
 * AS 241 (PPND16; Applied Statistics 37(3), 1988): a rational function of p near 1/2, else one of
 * sqrt(-log(least of p, 1 - p)). Relative error at most 1e-15 for p <= 1/2; above, as for a p that makes 1 -
 * p exact.
 */
export function normalQuantile(p: number): number {
  const q = p - 0.5;
  if (q >= -0.425 && q <= 0.425) return q * ratio(CENTRE, CENTRE_BELOW, 0.180625 - q * q);
  const r = Math.sqrt(minusLog(q < 0 ? p : 1 - p));
  const z = r <= 5 ? ratio(FLANK, FLANK_BELOW, r - 1.6) : ratio(TAIL, TAIL_BELOW, r - 5);
  return q < 0 ? -z : z;
}
