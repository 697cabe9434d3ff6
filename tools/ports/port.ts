import { Backoff } from "../../host/backoff.ts";
import { DeviceError } from "../../host/errors.ts";
import type { Clock } from "../../src/node/ports.ts";
import { type Address, parseAddress } from "./address.ts";
import { type Channel, type ChannelOptions, openChannel, type SerialOptions } from "./channel.ts";
import { MACHINE_CLOCK } from "./clock.ts";
import { portFault } from "./fault.ts";

interface PortEvents {
  /** Bytes came; they are only valid during the call. */
  data(bytes: Uint8Array): void;
  /** The link was lost, with the reason. The port tries to reopen it by itself. */
  lost?(error: DeviceError): void;
  /** The link is open again. */
  reopened?(): void;
}

/**
 * Seconds after which a wait for a node ends, unless `--give-up` says otherwise: with the port closed, the
 * node silent, or nothing sendable. A board starts within a fraction of it.
 */
export const GIVE_UP_S = 30;
/** Milliseconds from one try to open it to the next: least and most. */
const RETRY_MS = [100, 5000] as const;

/**
 * A permanent byte port: a serial device, a pty, or a socket, opened by its address. It reopens a lost link,
 * after 0.1 s at first and 5 s at most, until `close`. Bytes written meanwhile are lost and counted.
 */
export class Port {
  /** How often the link was lost. */
  losses = 0;
  /** Bytes received, sent, and written while the link was lost. */
  received = 0;
  sent = 0;
  dropped = 0;
  /** When the link was lost, by its clock; undefined while it is open. */
  lostAt: number | undefined;
  /** The reason for the last loss, with the port's name. */
  private lossReason = "";
  private channel: Channel | undefined;
  private retry: NodeJS.Timeout | undefined;
  private readonly backoff = new Backoff(...RETRY_MS);
  private closed = false;

  private constructor(
    /** The address as the caller wrote it. */
    readonly name: string,
    private readonly address: Address,
    private readonly options: SerialOptions,
    private readonly events: PortEvents,
    private readonly clock: Clock,
  ) {}

  /** Opens it. Throws a UserError for an address that isn't one, a DeviceError if it can't be opened now. */
  static async open(
    name: string,
    options: ChannelOptions,
    events: PortEvents,
    clock: Clock = MACHINE_CLOCK,
    address: Address = parseAddress(name, options.ca),
  ): Promise<Port> {
    const port = new Port(name, address, options, events, clock);
    try {
      await port.connect(options.reset ?? true);
    } catch (error) {
      throw portFault(name, port.address, error as NodeJS.ErrnoException);
    }
    return port;
  }

  get open(): boolean {
    return this.channel !== undefined;
  }

  write(bytes: Uint8Array): void {
    if (!this.channel) {
      this.dropped += bytes.length;
      return;
    }
    this.sent += bytes.length;
    this.channel.write(bytes);
  }

  pause(): void {
    this.channel?.pause();
  }

  resume(): void {
    this.channel?.resume();
  }

  /** Closes it for good, after all written bytes have left. */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.retry);
    const { channel } = this;
    this.channel = undefined;
    await channel?.close();
  }

  /** The message when the caller gives up on a lost link. */
  goneFor(seconds: number): DeviceError {
    return new DeviceError(`${this.lossReason} ${seconds} s ago, and it doesn't open again`);
  }

  private async connect(reset: boolean): Promise<void> {
    const data = (bytes: Uint8Array) => {
      if (this.closed) return;
      this.received += bytes.length;
      this.backoff.reset();
      this.events.data(bytes);
    };
    const closed = (error?: NodeJS.ErrnoException) => this.lose(error);
    const channel = await openChannel(this.address, { ...this.options, reset }, { data, closed });
    if (this.closed) {
      await channel.close();
      return;
    }
    this.channel = channel;
    this.lostAt = undefined;
  }

  private lose(error: NodeJS.ErrnoException | undefined): void {
    this.channel = undefined;
    this.losses++;
    this.lostAt = this.clock.now();
    const fault = portFault(this.name, this.address, error ?? new Error("the other end closed it"));
    this.lossReason = fault.message;
    this.events.lost?.(fault);
    this.tryAgain();
  }

  private tryAgain(): void {
    if (this.closed) return;
    this.retry = setTimeout(async () => {
      try {
        await this.connect(false);
      } catch {
        this.tryAgain();
        return;
      }
      if (!this.closed) this.events.reopened?.();
    }, this.backoff.next());
  }
}
