import type { DataSet } from "../../host/streams/table.ts";
import type { Family, UserOptions } from "../../src/learn/family.ts";
import type { Learner } from "../../src/learn/learner.ts";
import { OneVsAll } from "../../src/learn/one-vs-all.ts";
import { type DecisionExplainer, decide, Explainer, type Explanation } from "./explanation.ts";
import { firstTwo } from "./sums.ts";

/** Explains the learners of the decided class and of the second. */
class OneVsAllExplainer implements DecisionExplainer {
  private readonly each: readonly Explainer[];

  constructor(
    private readonly learner: OneVsAll,
    family: Family,
    options: UserOptions,
    inputs?: readonly string[],
  ) {
    this.each = learner.learners.map((own) => new Explainer(own, family, options, inputs));
  }

  recognise(inputs: readonly ArrayLike<number>[]): void {
    for (const own of this.each) own.recognise(inputs);
  }

  learn(x: ArrayLike<number>, y: number, sample: number): void {
    this.learner.learn(x, y);
    this.learned(x, sample);
  }

  learned(x: ArrayLike<number> | undefined, sample: number): void {
    for (const own of this.each) own.learned(x, sample);
  }

  explain(x: ArrayLike<number>, train: DataSet): Explanation {
    const decision = decide(this.learner, x);
    const values = this.learner.learners.map((own) => own.predict(x));
    const [own, against] = firstTwo(values, decision).map((target) => {
      const { decision: score, ...parts } = this.each[target].explain(x, train);
      return { target, score, ...parts };
    });
    const { target: _, ...parts } = own;
    return { decision, ...parts, against };
  }
}

/**
 * What explains the decisions of that learner. Throws a UserError for one whose decision isn't a sum over its vectors, weights or members.
 * @param inputs names of the learner's inputs, where they are known
 */
export function chooseExplainer(
  learner: Learner,
  family: Family,
  options: UserOptions,
  inputs?: readonly string[],
): DecisionExplainer {
  if (learner instanceof OneVsAll) return new OneVsAllExplainer(learner, family, options, inputs);
  return new Explainer(learner, family, options, inputs);
}
