import { type Belief, dot, isotropicBelief, LogisticPosterior } from "./logistic.ts";
import { factorise, solveLower, solveUpper } from "./symmetric.ts";

/** What a posterior says of its weights, and of its labels one by one. */
export type Fit = Pick<LogisticPosterior, "mean" | "leaveOneOut">;

/** L^-1 phi_i of each row, where L is the root of the belief. */
function whiten(rows: readonly Float64Array[], { root }: Belief): Float64Array[] {
  return rows.map((row) => {
    const white = row.slice();
    solveLower(root, white.length, white);
    return white;
  });
}

/** The Cholesky factor of the vectors' inner products. */
function rootOfProducts(vectors: readonly Float64Array[]): Float64Array {
  const n = vectors.length;
  const root = new Float64Array(n * n);
  for (let i = 0; i < n; i++) for (let j = 0; j <= i; j++) root[i * n + j] = dot(vectors[i], vectors[j]);
  factorise(root, n);
  return root;
}

/** m + L'^-1 sum_i c_i a_i. */
function unwhiten({ mean, root }: Belief, white: readonly Float64Array[], c: Float64Array): Float64Array {
  const away = new Float64Array(mean.length);
  white.forEach((a, i) => {
    for (let j = 0; j < away.length; j++) away[j] += c[i] * a[j];
  });
  solveUpper(root, away.length, away);
  return away.map((each, j) => mean[j] + each);
}

/**
 * What `LogisticPosterior` finds, for fewer labels than weights: by Newton's method in as many dimensions as there are labels, which leave the other
 * directions as they were. With P = L L', a_i = L^-1 phi_i and T T' = (a_i.a_j), the scores are T z, where z has the belief N(T^-1 (m.phi_i), I)
 * before, and
 *
 *     w = m + L'^-1 sum_i c_i a_i;   c = T'^-1 (z - T^-1 (m.phi_i))
 */
export function fitFewLabels(
  rows: readonly Float64Array[],
  labels: readonly number[],
  prior: Belief,
  flips: number,
): Fit {
  const n = rows.length;
  const white = whiten(rows, prior);
  const root = rootOfProducts(white);
  const before = isotropicBelief(n, 1);
  before.mean.set(rows.map((row) => dot(row, prior.mean)));
  solveLower(root, n, before.mean);
  const scoreRows = rows.map((_, i) => root.slice(i * n, i * n + n));
  const z = new LogisticPosterior(scoreRows, labels, before, flips);
  const c = z.mean.map((each, i) => each - before.mean[i]);
  solveUpper(root, n, c);
  return { mean: unwhiten(prior, white, c), leaveOneOut: () => z.leaveOneOut() };
}
