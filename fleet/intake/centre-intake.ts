import { CERTAIN, type Label, SOURCE_UNTOLD } from "../../src/node/ports.ts";
import { Feed, type FeedMemory } from "../../tools/labels/feed.ts";
import { openSource } from "../../tools/labels/source.ts";
import type { Supply } from "../../tools/labels/supply.ts";
import type { Hello } from "../../tools/session/hello.ts";
import type { LabelIntake } from "./label-intake.ts";

const LOOK_MS = 100;
const RETRY_MS = 5000;
/** Labels handed in before waiting for the disk. */
const BATCH = 256;
const BAUD = 115_200;

/** The centre's last label that was handed in, and the node's sessions. */
interface Place extends FeedMemory {
  readonly number: number;
}

/** Takes the labels of a fusion centre. The centre may forget a label once it is on disk. */
export class CentreIntake {
  private feed: Feed | undefined;
  private supply: Supply | undefined;
  /** The last label handed in; less than the centre's own number by the labels that it had lost. */
  private taken = 0;

  /** @param wanted the node's name at the centre, or its place there, from 1. */
  constructor(
    private readonly from: string,
    private readonly wanted: string | number,
    private readonly desk: LabelIntake,
  ) {}

  /** The node was met, or started again. */
  started(): void {
    this.feed?.restart(this.taken);
  }

  async run(): Promise<void> {
    const { desk } = this;
    await desk.awaitMet();
    let said = "";
    while (!desk.closed) {
      try {
        await this.listen(desk.ports.hello() as Hello);
        said = "";
      } catch (error) {
        const { message } = error as Error;
        if (message !== said) desk.refuse(message);
        said = message;
      }
      await this.supply?.close();
      this.feed = this.supply = undefined;
      await desk.pause(RETRY_MS);
    }
  }

  /** Hands in labels as they come, until the desk is closed. Throws the error that ends the source. */
  private async listen(hello: Hello): Promise<void> {
    const { desk, from, wanted } = this;
    const { number = 0, ...memory } = this.place(hello);
    this.taken = number;
    const feed = new Feed(() => this.where(hello), undefined, memory);
    this.feed = feed;
    feed.restart(number);
    const source = await openSource({ from, baud: BAUD, giveUp: 0, ahead: BATCH });
    const supply = await source.supply(wanted, hello, {});
    this.supply = supply;
    feed.use(supply);
    while (!desk.closed) if (!(await this.takeDue(feed, supply))) await desk.pause(LOOK_MS);
  }

  /** Where it resumes: the stored place, and the samples received since. */
  private place({ sid }: Hello): Partial<Place> & FeedMemory {
    const { place, lastSeq } = this.desk.ports;
    const kept = JSON.parse(place() ?? "null") as Place | null;
    if (!kept) return { spans: [], lastSeq: 0 };
    const newest = kept.spans[kept.spans.length - 1];
    return { ...kept, lastSeq: Math.max(kept.lastSeq, lastSeq(newest?.sid ?? sid)) };
  }

  private where({ sid, seq }: Hello) {
    return { ...(this.desk.ports.reach() ?? { sid, seq }), labelled: this.taken, fed: false };
  }

  /** Hands in the labels that are due; false if none is. */
  private async takeDue(feed: Feed, supply: Supply): Promise<boolean> {
    const { desk } = this;
    const { ports } = desk;
    await desk.room();
    if (desk.closed) return false;
    const first = this.taken;
    for (
      let label = feed.at(first + 1);
      label && this.taken < first + BATCH;
      label = feed.at(this.taken + 1)
    ) {
      this.hand(label);
      this.taken++;
    }
    if (this.taken === first) return false;
    ports.keep(JSON.stringify({ number: this.taken + supply.lost, ...feed.memory }));
    const why = await ports.awaitCommit();
    if (why !== undefined) throw new Error(`${this.from}: its labels wait for the disk: ${why}`);
    feed.durable(this.taken);
    return true;
  }

  private hand({ sid, seq, y, source = SOURCE_UNTOLD, confidence = CERTAIN, tag }: Label): void {
    const label = {
      sid,
      seq,
      label: y,
      source,
      confidence,
      by: "",
      ...(tag && { tag: [tag[0], tag[1]] as const }),
    };
    this.desk.hand(label, this.from);
  }
}
