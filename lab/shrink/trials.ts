import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { printNote } from "../../host/terminal/print.ts";
import type { Catalogue } from "../../host-sim/catalogue/catalogue.ts";
import type { NodeMaker } from "../../host-sim/network/simulated-node.ts";
import { type Case, writeCase } from "./case.ts";
import type { Property } from "./property.ts";
import { measureCase, sizeText } from "./size.ts";
import { type Trial, tryOut } from "./trial.ts";

/** What a run showed: whether the property holds, and the run's line on stderr, or "". */
interface TrialResult {
  readonly holds: boolean;
  readonly message: string;
}

/** Runs cases, each once, until there were as many runs as may be. */
export class Trials {
  runs = 0;
  private readonly known = new Map<string, TrialResult>();
  private asked = false;

  /** @param folder for the files of the case at hand. */
  constructor(
    private readonly property: Property,
    private readonly folder: string,
    private readonly catalogue: Catalogue,
    private readonly maker: NodeMaker | undefined,
    private readonly most: number,
  ) {}

  /** True if no more cases run; then no case counts as failing. */
  get isStopped(): boolean {
    return this.asked || this.runs >= this.most;
  }

  stop(): void {
    this.asked = true;
  }

  /** Runs the case as it was given. Throws a UserError unless the property holds. */
  async begin(options: Case): Promise<void> {
    const trial = await this.run(options);
    this.property.checkFirst(trial);
    this.note(options, trial, true);
  }

  /** The line on stderr of a case that was run, without the folder of its files. */
  failureMessage(one: Case): string {
    return this.known.get(caseKey(one))?.message ?? "";
  }

  async stillFails(candidate: Case): Promise<boolean> {
    const known = this.known.get(caseKey(candidate));
    if (known) return known.holds;
    if (this.isStopped) return false;
    const trial = await this.run(candidate);
    const holds = this.property.holds(trial);
    this.note(candidate, trial, holds);
    if (holds && process.stderr.isTTY) printNote(`run ${this.runs}: ${sizeText(measureCase(candidate))}`);
    return holds;
  }

  private note(one: Case, { message }: Trial, holds: boolean): void {
    const own = join(this.folder, `${this.runs}`, "/");
    this.known.set(caseKey(one), { holds, message: message.replaceAll(own, "") });
  }

  /** Each run has a folder of its own: streams are kept by their paths. */
  private async run(one: Case): Promise<Trial> {
    const own = join(this.folder, `${++this.runs}`);
    try {
      return await tryOut(writeCase(one, own), this.catalogue, this.maker);
    } finally {
      rmSync(own, { recursive: true, force: true });
    }
  }
}

function caseKey(one: Case): string {
  return createHash("sha256").update(JSON.stringify(one)).digest("base64");
}
