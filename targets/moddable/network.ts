/** Where a node with a radio is: its Wi-Fi, its broker, and its name there. */
export interface Network {
  readonly wifi: {
    readonly ssid: string;
    /** Default: an open network. */
    readonly password?: string;
  };
  readonly broker: {
    readonly host: string;
    /** Default 1883. */
    readonly port?: number;
    readonly user?: string;
    readonly password?: string;
  };
  /** The name under which its topics are. */
  readonly node: string;
}

/** Bytes of its JSON at most: what the board's C has room for. */
export const NETWORK_BYTES = 512;
