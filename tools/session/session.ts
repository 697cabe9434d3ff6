import { randomInt } from "node:crypto";
import { DeviceError } from "../../host/errors.ts";
import type { ClassNames } from "../../host/streams/class-names.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import type { Clock } from "../../src/node/ports.ts";
import { ROLLBACK_STATUS } from "../../src/node/requests.ts";
import { Peer } from "../../src/peer/peer.ts";
import { CANNOT_START } from "../../src/start/start-fault.ts";
import { SAVE_STATUS } from "../../src/store/checkpoint-store.ts";
import type { Message, UpName } from "../../src/wire/messages.ts";
import { randomWord } from "../keys/key-file.ts";
import { MACHINE_CLOCK } from "../ports/clock.ts";
import { GIVE_UP_S, Port } from "../ports/port.ts";
import { AlteredLine } from "./altered-line.ts";
import { ANSWERS, type Answer, Askers, confirming, Turns } from "./askers.ts";
import { AwaitedDescription } from "./awaited-description.ts";
import { classesOfNode, type NodeDescription } from "./description.ts";
import { type Hello, readHello } from "./hello.ts";
import { creditObstacle, otherProtocol, startedByItself, strangeBytes, wrongKey } from "./obstacles.ts";
import { type Bits, compareBits, SelfTestParts } from "./same-bits.ts";
import { type Configuration, hearing, type Received, type SessionOptions } from "./session-options.ts";
import { Interrupted, Waits } from "./waits.ts";

/** Periods of the peer's timer, and of repeated requests. */
const TICK_MS = 20;
const ASK_MS = 1000;
/** Time within which a node with the right key is met. */
const MEET_MS = 2000;
/** Requests for a checkpoint before a node counts as keeping none: a request may be lost. */
const CHECKPOINT_TRIES = 10;

/**
 * A conversation with a node: a port, a peer and a timer. Port and peer repair faults of the link; a wait
 * ends in a DeviceError when the link stays closed or the node silent for too long.
 *
 *     const session = await Session.open({ port: "unix:/tmp/node", events: { message: (name) => console.log(name) } });
 *     await session.until(() => session.peer.node.seq >= 100);
 *     const { learnerHigh } = await session.ask("state");
 *     await session.close();
 */
export class Session {
  /** The node's last hello; undefined until it was met. */
  hello: Hello | undefined;
  readonly peer: Peer;
  private readonly awaited: AwaitedDescription;
  /** The bytes that came before the node granted credit. */
  private readonly altered = new AlteredLine();
  private readonly waits = new Waits();
  private readonly askers = new Askers();
  private readonly changes = new Turns();
  private readonly giveUp: number;
  private timer: NodeJS.Timeout | undefined;
  readonly clock: Clock;
  private frameAt: number;
  private fault: Error | undefined;
  /** A hello that the peer hasn't processed yet; reported starts and differences. */
  private heard: Hello | undefined;
  private starts = 0;
  private differences: readonly string[] | undefined;
  private obstacle: string | undefined;

  private constructor(
    readonly port: Port,
    private readonly options: SessionOptions,
  ) {
    this.giveUp = options.giveUp ?? GIVE_UP_S;
    this.clock = options.clock ?? MACHINE_CLOCK;
    this.frameAt = this.clock.now();
    this.peer = new Peer({
      write: (bytes) => port.write(bytes),
      id: randomInt(1, 2 ** 32 - 1),
      key: options.key,
      random: randomWord,
      now: () => this.clock.now(),
      on: hearing((...received) => this.take(...received)),
      labels: options.labels,
      samples: options.samples,
      window: options.window,
    });
    this.awaited = new AwaitedDescription(this.clock, () => options.events?.described?.(this.classes));
    this.timer = setInterval(() => this.turn(), options.tickMs ?? TICK_MS);
  }

  /** Opens the port and begins. Throws a UserError or DeviceError if the port can't be opened. */
  static async open(options: SessionOptions): Promise<Session> {
    let session: Session | undefined;
    const events = {
      data: (bytes: Uint8Array) => session?.receive(bytes),
      lost: (error: DeviceError) => options.events?.lost?.(error),
      reopened: () => session?.reopened(),
    };
    const { serial, ca, clock, address } = options;
    const port = await Port.open(options.port, { ...serial, ca }, events, clock, address);
    session = new Session(port, options);
    session.turn();
    return session;
  }

  /**
   * Resolves when `done` is true; checks at each input, and every 20 ms. Rejects with `done`'s error, the
   * signal's, or the one that ended the session.
   */
  until(done: () => boolean, signal?: AbortSignal): Promise<void> {
    const wait = this.waits.until(() => {
      signal?.throwIfAborted();
      return done();
    });
    signal?.addEventListener("abort", () => this.look(), { once: true });
    this.look();
    return wait;
  }

  /** The node's hello, once it has come. */
  async awaitHello(): Promise<Hello> {
    await this.until(() => this.hello !== undefined);
    return this.hello as Hello;
  }

  /** What the node says of itself, once it has come; undefined: the node says nothing. */
  async awaitDescription(signal?: AbortSignal): Promise<NodeDescription | undefined> {
    await this.until(() => this.description !== undefined, signal);
    return this.description ?? undefined;
  }

  /** What the node says of itself, asked for at each start; undefined until it has come; null: the node says nothing. */
  get description(): NodeDescription | null | undefined {
    return this.awaited.description;
  }

  /** The node's classes, see `classesOfNode`; undefined before it was met, too. */
  get classes(): ClassNames | undefined {
    return this.hello && classesOfNode(this.hello, this.description);
  }

  /** Requests a message from the node, every second until it comes. Resolves with a copy. */
  async ask<W extends keyof typeof ANSWERS>(what: W, signal?: AbortSignal): Promise<Answer<W>> {
    return (await this.askWithin(what, Number.POSITIVE_INFINITY, signal)) as Answer<W>;
  }

  /** As `ask`, for that many milliseconds at most; undefined: no answer came. */
  async askWithin<W extends keyof typeof ANSWERS>(
    what: W,
    ms: number,
    signal?: AbortSignal,
  ): Promise<Answer<W> | undefined> {
    let answer: Answer<W> | undefined;
    const from = this.clock.now();
    const take = (message: Answer<W>) => {
      answer = { ...message };
      return true;
    };
    const over = () => this.clock.now() - from >= ms;
    await this.repeat(ANSWERS[what], () => this.peer.request(what), take, { over, signal });
    return answer;
  }

  /**
   * Changes options that may change while the node runs, until it confirms; returns their former values. `checkpointEvery` becomes no more
   * than the node's own options have it. Changes are made one at a time.
   */
  configure(change: Partial<Configuration>, signal?: AbortSignal): Promise<Configuration> {
    return this.changes.take(async () => {
      const { length: _, ...before } = await this.ask("configuration", signal);
      const wanted = { ...before, ...change };
      await this.repeat("configuration", () => this.peer.configure(wanted), confirming(wanted), { signal });
      return before;
    });
  }

  /**
   * Compares the node's self-test with this machine's. With `node`, the options that the node ought to have,
   * it also compares the learner's steps; else only the primitives.
   */
  async bits(node?: NodeOptions): Promise<Bits> {
    const { learner, selfTest } = await this.awaitHello();
    if (selfTest === null) return { verdict: "no self-test" };
    const parts = new SelfTestParts();
    let hashes: Uint32Array | undefined;
    const isWhole = (message: Message<"self-test">) => {
      hashes = parts.take(message)?.slice() ?? hashes;
      return hashes !== undefined;
    };
    await this.repeat("self-test", () => this.peer.request("selfTest"), isWhole);
    return compareBits(hashes as Uint32Array, learner, node);
  }

  /**
   * Requests a checkpoint until the node reports that one holds label `number`; false if it answers several times without one. A node spares
   * its flash: if the request is early, it answers how long to wait; `early` gets that time, and the request is repeated after it.
   */
  async checkpoint(number: number, early?: (waitMs: number) => void, signal?: AbortSignal): Promise<boolean> {
    const { node } = this.peer;
    const isDurable = () => node.durable >= number;
    for (let tries = 0; !isDurable() && tries < CHECKPOINT_TRIES; tries++) {
      const { status, waitMs, durable } = await this.ask("checkpoint", signal);
      if (status === SAVE_STATUS.nowhere) break;
      const due = this.clock.now() + waitMs;
      if (status === SAVE_STATUS.early) early?.(waitMs);
      // A node that started meanwhile learns the labels again first. Of one that kept them the next credit informs the peer.
      const mayAsk = () =>
        status === SAVE_STATUS.early ? this.clock.now() >= due : durable < number && node.labelled >= number;
      await this.until(() => isDurable() || mayAsk(), signal);
    }
    return isDurable();
  }

  /**
   * Has the node restore the checkpoint before its newest. Resolves with the hello of the start that follows,
   * or undefined where nothing changed. Rejects with a DeviceError where the node started without an answer.
   */
  async rollback(signal?: AbortSignal): Promise<Hello | undefined> {
    const { boot } = await this.awaitHello();
    const hasRestarted = () => this.hello?.boot !== boot && this.peer.credit.largest > 0;
    let status: number | undefined;
    const isRefused = (answer: Message<"rollback">) => {
      status = answer.status;
      return status === ROLLBACK_STATUS.none;
    };
    const act = () => this.peer.rollback(boot);
    await this.repeat("rollback", act, isRefused, { over: hasRestarted, signal });
    if (status === ROLLBACK_STATUS.none) return undefined;
    const hello = this.hello as Hello;
    if (status === undefined && hello.restore !== "fallback") throw startedByItself(this.port.name, hello);
    return hello;
  }

  /** Sends new labels and samples of its sources at once. */
  hasten(): void {
    this.turn();
  }

  /** Rejects all present waits with `Interrupted`, because the user wants to stop. Later requests wait as usual. */
  interrupt(): void {
    this.waits.interrupt();
  }

  /** Leaves the node, ends the timer and all waits, and closes the port after all written bytes have left. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    this.fault = undefined; // after a fault, too, the node is left, and takes the next program at once
    this.guard(() => this.peer.leave());
    this.fault = new Interrupted();
    this.look();
    await this.port.close();
  }

  /**
   * Repeats `act` every second, until a message of that name is what `isAnswer` wants, or `over` is true. Rejects with a DeviceError where
   * the node is heard for too long without it. Then nothing of it is sent any more.
   * @param act asks the node, and returns how that is withdrawn.
   */
  private async repeat<N extends UpName>(
    name: N,
    act: () => () => void,
    isAnswer: (message: Message<N>) => boolean,
    { over = () => false, signal }: { over?: () => boolean; signal?: AbortSignal } = {},
  ): Promise<void> {
    let answered = false;
    let askedAt = Number.NEGATIVE_INFINITY;
    let since = Number.POSITIVE_INFINITY;
    let withdraw = () => {};
    const leave = this.askers.add(name, (message) => {
      if (isAnswer(message)) answered = true;
    });
    const asked = this.until(() => {
      if (answered || over()) return true;
      if (this.frameAt - since > this.limitMs) throw this.gaveUp(`the node is heard, and sends no ${name}`);
      if (this.peer.met && this.clock.now() - askedAt >= ASK_MS) {
        askedAt = this.clock.now();
        since = Math.min(since, askedAt);
        withdraw = act();
      }
      return false;
    }, signal);
    await asked.finally(() => {
      leave();
      withdraw();
    });
  }

  private reopened(): void {
    this.frameAt = this.clock.now();
    this.obstacle = undefined; // if it is still there, it is said again
    this.options.events?.reopened?.();
  }

  private receive(bytes: Uint8Array): void {
    if (this.peer.credit.largest > 0) this.altered.forget();
    else this.altered.take(bytes);
    this.guard(() => this.peer.receive(bytes));
    this.turn();
  }

  private take(...received: Received): void {
    const [name, message] = received;
    this.reportStart();
    this.frameAt = this.clock.now();
    if (name === "hello") this.heard = readHello(message);
    if (name === "log") this.takeLog(message);
    this.options.events?.message?.(...received);
    if (name === "description") this.awaited.take(message, this.hello);
    this.askers.take(...received);
  }

  /** A node that can't start says no hello, but why. */
  private takeLog({ text, length }: Message<"log">): void {
    const line = String.fromCharCode(...text.subarray(0, length));
    if (this.hello === undefined && line.startsWith(CANNOT_START))
      this.fault ??= new DeviceError(`${this.port.name}: the node ${line}`);
  }

  /** Runs the peer for the present time and sources, then handles the consequences. */
  private turn(): void {
    this.guard(() => this.peer.tick());
    this.guard(() => this.options.events?.turned?.());
    this.guard(() => {
      this.reportStart();
      this.reportDifferences();
      this.awaited.ask(this.peer, this.hello);
      this.reportObstacle();
    });
    this.look();
  }

  /** Takes over a hello once the peer did, but not a late one of an earlier start. */
  private reportStart(): void {
    const { peer, heard } = this;
    this.heard = undefined;
    if (!heard || heard.boot !== peer.node.boot) return;
    this.hello = heard;
    if (peer.counts.starts === this.starts) return;
    this.starts = peer.counts.starts;
    this.awaited.begin();
    this.options.events?.started?.(heard);
  }

  private reportDifferences(): void {
    const { differences } = this.peer;
    if (differences === this.differences) return;
    this.differences = differences;
    if (differences && differences.length > 0) this.options.events?.differences?.(differences);
  }

  private reportObstacle(): void {
    const early = this.clock.now() - this.frameAt < MEET_MS; // frames of another peer's session look forged as well
    const why = (early ? undefined : this.keyObstacle()) ?? creditObstacle(this.peer);
    if (!this.port.open || why === this.obstacle) return; // a closed line is reason enough
    this.obstacle = why;
    this.options.events?.obstructed?.(why);
  }

  /** An error of a source, or of what listens to the node, ends the session, not the program. */
  private guard(act: () => void): void {
    if (this.fault) return;
    try {
      act();
    } catch (error) {
      this.fault = error as Error;
    }
  }

  private look(): void {
    this.waits.look(this.fault ?? this.strange() ?? this.silence());
  }

  /** The message about a node that this program can't talk to. */
  private strange(): DeviceError | undefined {
    const spoken = this.peer.otherProtocol;
    return spoken === undefined ? undefined : otherProtocol(this.port.name, spoken);
  }

  /** Milliseconds after which a link that is closed, or a node that doesn't answer, ends the session. */
  private get limitMs(): number {
    return this.giveUp === 0 ? Number.POSITIVE_INFINITY : 1000 * this.giveUp;
  }

  private gaveUp(why: string): DeviceError {
    return new DeviceError(`${this.port.name}: ${why} (for ${this.giveUp} s)`);
  }

  /** The message about a link that was closed, or a node that was silent, for too long. */
  private silence(): DeviceError | undefined {
    const { port, giveUp, limitMs: limit } = this;
    const now = this.clock.now();
    if (port.lostAt !== undefined && now - port.lostAt > limit) return port.goneFor(giveUp);
    const stuckSince = this.peer.ungrantedSince ?? this.peer.unansweredSince ?? now;
    if (this.obstacle !== undefined && now - stuckSince > limit)
      return this.gaveUp(this.altered.change ?? this.obstacle);
    if (now - this.frameAt <= limit) return undefined;
    if (this.hello) return new DeviceError(`${port.name}: the node has been silent for ${giveUp} s`);
    const strange = strangeBytes(port.received, this.altered.change, this.options.serial?.baud);
    return this.gaveUp(this.keyObstacle() ?? strange);
  }

  /** Why a node that was never met can't be understood; undefined if not because of its key. */
  private keyObstacle(): string | undefined {
    if (this.hello || this.peer.thrown.forged === 0) return undefined;
    return wrongKey(this.options.key);
  }
}
