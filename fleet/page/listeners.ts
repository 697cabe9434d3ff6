import type { SourceEvents } from "./source.ts";

export class Listeners {
  private readonly all = new Set<SourceEvents>();

  /** Adds one; returns a function that removes it. */
  add(listener: SourceEvents): () => void {
    this.all.add(listener);
    return () => this.all.delete(listener);
  }

  /** Calls each listener that has that event. One that is added or removed meanwhile changes nothing. */
  emit<E extends keyof SourceEvents>(name: E, ...parameters: Parameters<NonNullable<SourceEvents[E]>>): void {
    for (const listener of [...this.all]) {
      const call = listener[name] as ((...parameters: unknown[]) => void) | undefined;
      call?.apply(listener, parameters);
    }
  }
}
