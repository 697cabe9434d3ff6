// A learner from outside: `motelearn evaluate --plugin adaline.mjs --learner adaline --train FILE`.
import { defineLearner, real } from "motelearn";

/**
 * ADALINE by the alpha-LMS rule: f(x) = w.x + b, and at each sample a step that removes the share alpha of its error,
 *
 *     e = y - f(x);   w <- w + alpha e x / (1 + |x|^2);   b <- b + alpha e / (1 + |x|^2)
 *
 * Widrow, Lehr: 30 years of adaptive neural networks. Proceedings of the IEEE 78(9), 1990, equation (10).
 */
const adaline = defineLearner({
  name: "adaline",
  task: "classification",
  title: "ADALINE by alpha-LMS, linear",
  paper: "Widrow, Hoff: Adaptive switching circuits. IRE WESCON Convention Record 4, 1960",
  options: {
    alpha: real({ default: 0.1, above: 0, below: 2 }, "alpha, share of the error that a step removes"),
  },
  state: ({ dimension }) => ({ w: dimension, b: 1 }),
  scratch: ({ dimension }) => ({ next: dimension }),
  predict({ f32, at, input, options: { dimension } }) {
    return f32.dot(at.w, input, dimension) + f32.words[at.b];
  },
  update({ f32, at, input, options: { dimension, alpha } }, y, decision) {
    const step = (alpha * (y - decision)) / (1 + f32.dot(input, input, dimension));
    const b = Math.fround(f32.words[at.b] + step);
    f32.copy(at.next, at.w, dimension);
    if (!Number.isFinite(b) || !f32.addScaled(at.next, step, input, dimension)) return false;
    f32.copy(at.w, at.next, dimension);
    f32.words[at.b] = b;
    return true;
  },
});

export const learners = [adaline];
