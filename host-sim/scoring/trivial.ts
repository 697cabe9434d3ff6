/** A predictor that knows only the labels it received, no samples. */
export interface TrivialPredictor {
  readonly name: string;
  /** The label it expects next. */
  predict(): number;
  /** Takes a label that was received. */
  learn(label: number): void;
}

/** Predicts the majority class of the labels received; on a tie, the class that led before. */
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

/** Predicts the mean of the labels received; 0 before any. */
export class RunningMean implements TrivialPredictor {
  readonly name = "mean";
  private sum = 0;
  private count = 0;

  predict(): number {
    return this.count === 0 ? 0 : this.sum / this.count;
  }

  learn(label: number): void {
    this.sum += label;
    this.count++;
  }
}

/** Predicts the label that was received last. */
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
