/** Actions of an attacker without a node's keys, and their counters. */
const WHAT = {
  sent: "frames to the node lacked its key",
  received: "frames from the node lacked its key",
  labels: "labels that came to the node had a wrong tag",
} as const;
type Forgery = keyof typeof WHAT;

const SAID_MS = 60_000;

/** Reports forged frames or labels: the first at once, further ones after a minute. */
export class Forgeries {
  private readonly said: Record<Forgery, { count: number; at: number }> = {
    sent: { count: 0, at: Number.NEGATIVE_INFINITY },
    received: { count: 0, at: Number.NEGATIVE_INFINITY },
    labels: { count: 0, at: Number.NEGATIVE_INFINITY },
  };

  constructor(
    /** Returns whether it was said: the log takes only so many events a minute. */
    private readonly say: (text: string) => boolean,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @param count how many there were since the node started, or since the line was opened. */
  report(what: Forgery, count: number): void {
    const said = this.said[what];
    if (count < said.count) said.count = 0;
    if (count === said.count || this.now() - said.at < SAID_MS) return;
    const isSaid = this.say(
      `${count - said.count} ${WHAT[what]}: somebody else writes on its line; nothing was learned from them`,
    );
    if (isSaid) this.said[what] = { count, at: this.now() };
  }
}
