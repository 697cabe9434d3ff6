/** A predictor that looks at past labels only: what a learner must beat to have learned anything. */
export interface TrivialPredictor {
  readonly name: string;
  /** The label it expects next. */
  predict(): number;
  /** Takes the true label of the sample just predicted. */
  learn(label: number): void;
}

/** Predicts the class that most labels so far had; of two equals the one that led before. */
export class MajorityClass implements TrivialPredictor {
  readonly name = "majority";
  private readonly counts = new Map<number, number>();
  private leader: number;

  /** @param first what it predicts before any label. Default -1. */
  constructor(first = -1) {
    this.leader = first;
  }

  predict(): number {
    return this.leader;
  }

  learn(label: number): void {
    const count = (this.counts.get(label) ?? 0) + 1;
    this.counts.set(label, count);
    if (count > (this.counts.get(this.leader) ?? 0)) this.leader = label;
  }
}

/** Predicts the label of the sample before. */
export class LastLabel implements TrivialPredictor {
  readonly name = "last";

  /** @param last what it predicts before any label. Default -1. */
  constructor(private last = -1) {}

  predict(): number {
    return this.last;
  }

  learn(label: number): void {
    this.last = label;
  }
}
