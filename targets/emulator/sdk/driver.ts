import { Wave } from "./wave.ts";

declare const project: {
  readonly config: {
    readonly sensors?: readonly { readonly sensor?: string; readonly fields?: readonly string[] }[];
  };
};

/** The ranges of the waves for these quantities, in ECMA-419's units; others lie between 0 and 1. */
const RANGES: { readonly [field: string]: readonly [low: number, high: number] } = Object.freeze({
  temperature: [10, 30],
  humidity: [0.2, 0.8],
  pressure: [95_000, 105_000],
  illuminance: [0, 2000],
});

interface Sample {
  [name: string]: number | Sample;
}

/** An ECMA-419 sensor with waves for the fields that the project reads. */
class EmulatedSensor {
  private readonly sampled: Sample = {};
  private readonly waves: readonly (() => void)[];

  constructor(fields: readonly string[]) {
    this.waves = fields.map((field, i) => this.wave(field.split("."), new Wave(100 + i)));
  }

  /** Sets the field at the path to the wave's next number. */
  private wave(path: readonly string[], wave: Wave): () => void {
    const name = path[path.length - 1];
    const [low, high] = RANGES[name] ?? [0, 1];
    let holder = this.sampled;
    for (const part of path.slice(0, -1)) {
      holder[part] ??= {};
      holder = holder[part] as Sample;
    }
    return () => {
      holder[name] = low + (high - low) * wave.next();
    };
  }

  configure(): void {}

  sample(): Sample {
    for (let i = 0; i < this.waves.length; i++) this.waves[i]();
    return this.sampled;
  }

  close(): void {}
}

/** Replaces moddable/driver.ts: no chip is on the board's buses. */
export async function importDriver(module: string): Promise<new (options: object) => EmulatedSensor> {
  const used = project.config.sensors?.find(({ sensor }) => sensor === module);
  return class extends EmulatedSensor {
    constructor() {
      super(used?.fields ?? []);
    }
  };
}
