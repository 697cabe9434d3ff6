import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Catalogue } from "../../host-sim/catalogue/catalogue.ts";
import type { NodeMaker } from "../../host-sim/network/simulated-node.ts";
import { printNote } from "../cli/print.ts";
import { type Case, writeCase } from "./case.ts";
import type { Property } from "./property.ts";
import { sizeOf, sizeText } from "./size.ts";
import { type Trial, tryOut } from "./trial.ts";

/** Runs cases, each once, until there were as many runs as may be. */
export class Trials {
  runs = 0;
  private readonly known = new Map<string, boolean>();
  private asked = false;

  /** @param folder for the files of the case at hand. */
  constructor(
    private readonly property: Property,
    private readonly folder: string,
    private readonly catalogue: Catalogue,
    private readonly maker: NodeMaker | undefined,
    private readonly most: number,
  ) {}

  /** Whether no more cases run; then no case counts as failing. */
  get isStopped(): boolean {
    return this.asked || this.runs >= this.most;
  }

  stop(): void {
    this.asked = true;
  }

  /** Runs the case as it was given. Throws a UserError unless the property holds. */
  async begin(given: Case): Promise<void> {
    this.property.checkFirst(await this.run(given));
  }

  async stillFails(candidate: Case): Promise<boolean> {
    const key = createHash("sha256").update(JSON.stringify(candidate)).digest("base64");
    const known = this.known.get(key);
    if (known !== undefined) return known;
    if (this.isStopped) return false;
    const holds = this.property.holds(await this.run(candidate));
    this.known.set(key, holds);
    if (holds && process.stderr.isTTY) printNote(`run ${this.runs}: ${sizeText(sizeOf(candidate))}`);
    return holds;
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
