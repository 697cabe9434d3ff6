/** The network of a node with a radio: its Wi-Fi, its broker, and its name there. */
export interface Network {
  /** Its Wi-Fi. */
  readonly wifi: {
    /** Name of the network. */
    readonly ssid: string;
    /** Default: an open network. */
    readonly password?: string;
  };
  /** Its MQTT broker. */
  readonly broker: {
    /** Name or address of its machine. */
    readonly host: string;
    /** Default 1883. */
    readonly port?: number;
    /** Default: without a name. */
    readonly user?: string;
    /** The user's password; default: none. */
    readonly password?: string;
  };
  /** The name under which its topics are. */
  readonly node: string;
}

/** Most bytes of its JSON: the room in the board's C. */
export const NETWORK_BYTES = 512;
