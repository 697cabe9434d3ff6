import { ShareBar } from "../../host/terminal/share-bar.ts";

/** A run's progress on a terminal, by samples. */
export class SimulationProgress {
  private readonly bar = new ShareBar(
    "simulating {bar} {percentage} %, {networks}, {duration_formatted}, {eta_formatted} left",
    50,
  );
  private readonly shares: number[];
  private done = 0;

  /** @param shares how far each network is at first, 0..1. */
  constructor(shares: readonly number[]) {
    this.shares = [...shares];
    this.bar.start(this.share, this.texts);
  }

  /** Sets the part of a network that is done, 0..1; `place` is its place in the run. */
  reached(place: number, share: number): void {
    this.shares[place] = share;
    this.bar.update(this.share, this.texts);
  }

  finished(place: number): void {
    this.done++;
    this.reached(place, 1);
  }

  stop(): void {
    this.bar.stop();
  }

  private get share(): number {
    return this.shares.reduce((total, each) => total + each, 0) / this.shares.length;
  }

  private get texts() {
    return { networks: `${this.done}/${this.shares.length} networks` };
  }
}
