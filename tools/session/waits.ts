/** The error of waits that are interrupted: whoever waits is to end, or the session has ended. */
export class Interrupted extends Error {
  constructor() {
    super("it was interrupted");
  }
}

/** A caller that waits for a condition. */
interface Waiter {
  readonly done: () => boolean;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** The callers that wait for conditions. */
export class Waits {
  private readonly waiters = new Set<Waiter>();

  /** Resolves when `done` returns true in a look. Rejects with the error that `done` throws, or with a look's fault. */
  until(done: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiters.add({ done, resolve, reject });
    });
  }

  /** Ends the finished waits, or all with `fault`; an error of `done` rejects its own. */
  look(fault: Error | undefined): void {
    for (const waiter of [...this.waiters]) {
      try {
        if (fault) throw fault;
        if (!waiter.done()) continue;
        waiter.resolve();
      } catch (error) {
        waiter.reject(error as Error);
      }
      this.waiters.delete(waiter);
    }
  }

  /** Rejects all present waits with `Interrupted`. */
  interrupt(): void {
    for (const { reject } of this.waiters) reject(new Interrupted());
    this.waiters.clear();
  }
}
