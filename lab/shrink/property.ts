import { Script } from "node:vm";
import { UserError } from "../../host/errors.ts";
import type { Trial } from "./trial.ts";

const NAMES = "exit, message, result, learners, xs and differs";
const LIMIT_MS = 1000;

/** What must hold of a scenario's run while the scenario shrinks: a JavaScript expression of the user's own. */
export class Property {
  private readonly script: Script;

  /** Throws a UserError for an invalid expression. */
  constructor(private readonly text: string) {
    try {
      this.script = new Script(`(${text}\n)`, { filename: "--while" });
    } catch (error) {
      throw new UserError(
        `--while ${text}: ${(error as Error).message}; takes a JavaScript expression over ${NAMES}`,
      );
    }
  }

  /** True if it is about XS, so that trials must run there, too. */
  get needsXs(): boolean {
    return /\b(xs|differs)\b/.test(this.text);
  }

  /** True if it holds. A missing part, such as a removed node, makes it false. */
  holds(trial: Trial): boolean {
    try {
      return Boolean(this.evaluate(trial));
    } catch {
      return false;
    }
  }

  /** Throws a UserError unless it holds of the scenario to begin with. */
  checkFirst(trial: Trial): void {
    let value: unknown;
    try {
      value = this.evaluate(trial);
    } catch (error) {
      throw new UserError(`--while ${this.text}: ${(error as Error).message}; it may use ${NAMES}`);
    }
    if (value) return;
    const message = trial.message === "" ? "" : `, "${trial.message}"`;
    throw new UserError(
      `--while ${this.text}: doesn't hold for the scenario itself (exit code ${trial.exit}${message}); give a condition that does`,
    );
  }

  private evaluate(trial: Trial): unknown {
    return this.script.runInNewContext({ ...trial }, { timeout: LIMIT_MS });
  }
}
