/**
 * The SDK's Wi-Fi, ECMA-419: `connection` is 200 without a network, 300 on the way to it, 500 with an
 * address.
 */
export interface WifiInterface {
  readonly connection: number;
  connect(options: { readonly SSID: string; readonly password?: string; readonly secure?: boolean }): void;
}

const AWAY = 200;
const ADDRESSED = 500;
const RETRY_MS = 2000;
const RETRY_MAX_MS = 64_000;

interface WifiOptions {
  readonly ssid: string;
  readonly password?: string;
  /** Opens the radio, which calls `changed` when its connection has. */
  open(changed: () => void): WifiInterface;
  later(what: () => void, ms: number): void;
  /** Called when the board gets its first address. */
  joined(): void;
}

/** Keeps the board in its Wi-Fi network: joins it, and rejoins 2 to 64 s after each loss. */
export class WifiStation {
  private readonly radio: WifiInterface;
  private isJoined = false;
  private isWaiting = false;
  private wait = RETRY_MS;

  constructor(private readonly options: WifiOptions) {
    this.radio = options.open(() => this.changed());
    this.join();
  }

  private join(): void {
    this.isWaiting = false;
    const { ssid, password } = this.options;
    try {
      this.radio.connect(password ? { SSID: ssid, password, secure: true } : { SSID: ssid });
    } catch {
      this.joinLater();
    }
  }

  private changed(): void {
    const { connection } = this.radio;
    if (connection <= AWAY) this.joinLater();
    if (connection < ADDRESSED) return;
    this.wait = RETRY_MS;
    if (!this.isJoined) this.options.joined();
    this.isJoined = true;
  }

  private joinLater(): void {
    if (this.isWaiting) return;
    this.isWaiting = true;
    this.options.later(() => this.join(), this.wait);
    this.wait = Math.min(2 * this.wait, RETRY_MAX_MS);
  }
}
