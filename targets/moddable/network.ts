/** The network of a node with a radio: its Wi-Fi, its broker, and its name there. */
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

/** Most bytes of its JSON: the room in the board's C. */
export const NETWORK_BYTES = 512;
