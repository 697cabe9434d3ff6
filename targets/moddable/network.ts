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
    /**
     * The certificate of who signs the broker's, as PEM; in a file for `flash --wifi`: that certificate's file. The connection is encrypted
     * then, at port 8883 unless `port` says another. The firmware includes targets/moddable/tls.json. Default: no TLS.
     */
    readonly ca?: string;
  };
  /**
   * Name or address of an SNTP server. With TLS the node connects once that server has said the time, and then checks the dates of the broker's
   * certificate. Default: it doesn't check them.
   */
  readonly time?: string;
  /** The name under which its topics are. */
  readonly node: string;
}

/** Most bytes of its JSON: the room in the board's C. */
export const NETWORK_BYTES = 512;
/** Most bytes of a stored certificate, DER: the room in the board's C. */
export const AUTHORITY_BYTES = 2048;
