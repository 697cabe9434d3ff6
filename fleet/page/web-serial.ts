/** The used part of Web Serial, which browsers' types lack. */
export interface WebPort {
  readonly readable: ReadableStream<Uint8Array> | null;
  readonly writable: WritableStream<Uint8Array> | null;
  open(options: { readonly baudRate: number; readonly bufferSize?: number }): Promise<void>;
  close(): Promise<void>;
  setSignals?(signals: {
    readonly dataTerminalReady: boolean;
    readonly requestToSend: boolean;
  }): Promise<void>;
}

const BUFFER = 1 << 14;
const RETRY_MS = 1000;

/** A line to a board over Web Serial, which is opened again by itself when a board was unplugged. */
export class SerialLine {
  bytes = 0;
  losses = 0;
  open = false;
  private closed = false;
  private running: Promise<void> | undefined;
  /** Ends the pause before the next try. */
  private wake = () => {};
  private writer: WritableStreamDefaultWriter<Uint8Array> | undefined;
  private reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  /** @param data gets bytes as they come; `changed` is called when the line is open, or no longer, and why. */
  constructor(
    private readonly port: WebPort,
    private readonly baudRate: number,
    private readonly data: (bytes: Uint8Array) => void,
    private readonly changed: (why: string | undefined) => void,
  ) {}

  /** Reads until `close`. Rejects if it can't be opened the first time. */
  async start(): Promise<void> {
    await this.connect();
    this.running = this.run();
  }

  write(bytes: Uint8Array): void {
    this.writer?.write(bytes.slice()).catch(() => {}); // the reader says that the line is lost
  }

  /** Resolves once another program may open the port. */
  async close(): Promise<void> {
    this.closed = true;
    this.wake();
    await this.reader?.cancel().catch(() => {});
    await this.release();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.closed) {
      const why = await this.read();
      await this.release();
      if (this.closed) return;
      this.losses++;
      this.changed(why);
      while (!this.closed && !this.open) {
        await this.pause();
        if (!this.closed) await this.connect().catch(() => {});
      }
    }
    await this.release();
  }

  private pause(): Promise<void> {
    return new Promise((done) => {
      const timer = setTimeout(done, RETRY_MS);
      this.wake = () => {
        clearTimeout(timer);
        done();
      };
    });
  }

  /** Raises neither control line: many boards would restart, or wait for firmware. */
  private async connect(): Promise<void> {
    const { port } = this;
    await port.open({ baudRate: this.baudRate, bufferSize: BUFFER });
    await port.setSignals?.({ dataTerminalReady: false, requestToSend: false }).catch(() => {});
    if (this.closed) return;
    this.writer = port.writable?.getWriter();
    this.reader = port.readable?.getReader();
    this.open = true;
    this.changed(undefined);
  }

  private async read(): Promise<string> {
    try {
      for (;;) {
        const { value, done } = (await this.reader?.read()) ?? { done: true };
        if (done || !value) return "the port was closed";
        this.bytes += value.length;
        this.data(value);
      }
    } catch (error) {
      return (error as Error).message;
    }
  }

  private async release(): Promise<void> {
    this.open = false;
    this.reader?.releaseLock();
    this.writer?.releaseLock();
    await this.port.close().catch(() => {});
  }
}
