import { appendFileSync, copyFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { FileIntake } from "../../fleet/intake/file-intake.ts";
import { LabelIntake, type LabelIntakePorts } from "../../fleet/intake/label-intake.ts";
import { inFolder } from "./stations.ts";

/** What a gateway keeps of a source, and the labels that it was handed. */
class Counter {
  readonly samples: number[] = [];
  readonly said: string[] = [];
  private kept: string | undefined;

  /** An intake of that file in a new process of the gateway. */
  intake(file: string): FileIntake {
    const ports: LabelIntakePorts = {
      hello: () => undefined,
      reach: () => ({ sid: 7, seq: 1000 }),
      offer: ({ seq }) => {
        this.samples.push(seq);
        return undefined;
      },
      awaitCommit: async () => undefined,
      place: () => this.kept,
      keep: (place) => {
        this.kept = place;
      },
      lastSeq: () => 1000,
      elsewhere: () => false,
      full: () => false,
      say: (text) => this.said.push(text),
    };
    return new FileIntake(file, new LabelIntake(ports, "file"));
  }
}

/** All that the intake takes now. */
async function taken(counter: Counter, intake: FileIntake): Promise<number[]> {
  while (await intake.readOn());
  return counter.samples.splice(0);
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const ndjson = (from: number, to: number) =>
  range(from, to)
    .map((seq) => `{"sid":7,"seq":${seq},"label":1}\n`)
    .join("");
const rows = (from: number, to: number) =>
  range(from, to)
    .map((seq) => `${seq},7,1\n`)
    .join("");

/** Ways in which another text takes the place of a file's. */
const WAYS: { readonly [way: string]: (file: string, text: string) => void } = {
  "removed and written": (file, text) => {
    rmSync(file);
    writeFileSync(file, text);
  },
  rewritten: (file, text) => writeFileSync(file, text),
  "cut and written": (file, text) => {
    truncateSync(file, 0);
    appendFileSync(file, text);
  },
  renamed: (file, text) => {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  },
  copied: (file, text) => {
    writeFileSync(`${file}.new`, text);
    copyFileSync(`${file}.new`, file);
  },
};

for (const [way, change] of Object.entries(WAYS))
  test(`a label file that is ${way} is read from its beginning, as soon as it is or after a start`, async () => {
    for (const isRestarted of [false, true])
      for (const [name, text, head] of [
        ["labels.ndjson", ndjson, ""],
        ["labels.csv", rows, "seq,sid,label\n"],
      ] as const) {
        const file = inFolder(`${way.replaceAll(" ", "-")}-${isRestarted}-${name}`);
        const counter = new Counter();
        let intake = counter.intake(file);
        const next = () => {
          if (isRestarted) intake = counter.intake(file);
        };
        writeFileSync(file, head + text(101, 120));
        assert.equal(await taken(counter, intake), range(101, 120));
        change(file, head + text(221, 260));
        next();
        assert.equal(await taken(counter, intake), range(221, 260), "longer");
        appendFileSync(file, text(261, 262));
        next();
        assert.equal(await taken(counter, intake), [261, 262], "appended");
        change(file, head + text(317, 318));
        next();
        assert.equal(await taken(counter, intake), [317, 318], "shorter");
        change(file, head + text(417, 418));
        next();
        assert.equal(await taken(counter, intake), [417, 418], "as long");
        next();
        assert.equal(await taken(counter, intake), [], "as it was");
        assert.equal(counter.said, []);
      }
  });

test("a row is taken once its line is whole, though the file grows a byte at a time", async () => {
  const file = inFolder("growing.csv");
  writeFileSync(file, "");
  const counter = new Counter();
  const intake = counter.intake(file);
  const seen: number[] = [];
  for (const letter of `seq,sid,label\n${rows(117, 119)}120,7,1`) {
    appendFileSync(file, letter);
    seen.push(...(await taken(counter, intake)));
  }
  assert.equal(seen, [117, 118, 119]);
  assert.equal(counter.said, []);
});

test("a label that is blank, or no decimal number, isn't taken for one", async () => {
  const counter = new Counter();
  const file = inFolder("blank-labels.csv");
  writeFileSync(file, "seq,label,sid\n1, ,7\n0x2,1,7\n3,1,7\n");
  assert.equal(await taken(counter, counter.intake(file)), [3]);
  assert.is(counter.said.length, 2);
});

test.run();
