import { appendFileSync, readFileSync, statSync } from "node:fs";
import type { Outcome } from "./run.ts";

/** A line of the file. */
interface KeptRun {
  /** What the outcome follows from, beside the run. */
  readonly key: string;
  readonly run: string;
  readonly outcome: Outcome;
}

/**
 * Runs that are done, a JSON line each, as they come: another bench takes those that are its own from there. A torn line counts for nothing.
 */
export class KeptRuns {
  private readonly outcomes = new Map<string, Outcome>();
  /** Why nothing more is kept. */
  fault: string | undefined;
  /** Ends a line that was torn. */
  private separator = "";

  constructor(readonly path: string) {
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return;
    const text = readFileSync(path, "utf8");
    this.separator = text === "" || text.endsWith("\n") ? "" : "\n";
    for (const line of text.split("\n")) {
      const kept = parsed(line);
      if (kept) this.outcomes.set(`${kept.key} ${kept.run}`, kept.outcome);
    }
  }

  /** Runs that it holds, of whatever bench. */
  get count(): number {
    return this.outcomes.size;
  }

  find(key: string, run: string): Outcome | undefined {
    return this.outcomes.get(`${key} ${run}`);
  }

  /** Keeps an outcome too. A disk that is full costs what is kept, not the bench. */
  add(key: string, run: string, outcome: Outcome): void {
    if (this.fault !== undefined) return;
    const kept: KeptRun = { key, run, outcome };
    try {
      appendFileSync(this.path, `${this.separator}${JSON.stringify(kept)}\n`);
      this.separator = "";
    } catch (error) {
      this.fault = (error as NodeJS.ErrnoException).code ?? "can't be written";
    }
  }
}

function parsed(line: string): KeptRun | undefined {
  try {
    const kept = JSON.parse(line) as KeptRun;
    return typeof kept?.outcome?.error === "number" ? kept : undefined;
  } catch {
    return undefined; // torn, or not ours
  }
}
