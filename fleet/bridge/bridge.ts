import type { DeviceError } from "../../host/errors.ts";
import type { MqttAddress } from "../../tools/ports/address.ts";
import type { SerialOptions } from "../../tools/ports/channel.ts";
import { MqttNode } from "../../tools/ports/mqtt-node.ts";
import { Port } from "../../tools/ports/port.ts";

/** Events at the two ends of a bridge. */
interface BridgeEvents {
  /** The node's port was lost, or is open again. */
  readonly lost: (error: DeviceError) => void;
  readonly reopened: () => void;
  /** The broker has the node's presence; or its connection ended, with the reason if known. */
  readonly met: () => void;
  readonly left: (error?: Error) => void;
}

const CHUNK_BYTES = 512;

/**
 * Carries a node's line between its port and an MQTT broker, where peers reach it like any node there. Frames
 * pass unchanged, so a keyed line needs no key here. The node is online at the broker as long as its port is
 * open. Frames for an end that is away are lost; the wire repairs that.
 */
export class Bridge {
  private readonly chunk = new Uint8Array(CHUNK_BYTES);

  private constructor(
    readonly port: Port,
    private readonly node: MqttNode,
  ) {}

  /**
   * Opens the port, then connects to the broker, and retries each second. Throws a UserError or a DeviceError
   * for the port.
   */
  static async open(
    from: string,
    serial: SerialOptions,
    to: MqttAddress,
    events: BridgeEvents,
  ): Promise<Bridge> {
    let bridge: Bridge | undefined;
    const port = await Port.open(from, serial, {
      data: (bytes) => bridge?.node.port.write(bytes, 0, bytes.length),
      lost: (error) => {
        bridge?.node.setPresent(false);
        events.lost(error);
      },
      reopened: () => {
        bridge?.node.setPresent(true);
        events.reopened();
      },
    });
    const node = new MqttNode(to, () => bridge?.down(), { met: events.met, left: events.left });
    bridge = new Bridge(port, node);
    return bridge;
  }

  /** Leaves the broker and closes the port. */
  async close(): Promise<void> {
    await this.node.close();
    await this.port.close();
  }

  private down(): void {
    const { chunk, node, port } = this;
    while (node.port.available > 0) port.write(chunk.slice(0, node.port.read(chunk)));
  }
}
