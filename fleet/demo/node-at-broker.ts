import { randomInt } from "node:crypto";
import { SimulatedFlash } from "../../host-sim/network/flash.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import { nodeLayout } from "../../src/node/node-layout.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import type { BytePort, Clock, LabelStatus } from "../../src/node/ports.ts";
import type { Sensor } from "../../src/start/sensors.ts";
import { type StartedNode, startNode } from "../../src/start/start-node.ts";
import { storeBytes } from "../../src/store/checkpoint-store.ts";
import type { MqttAddress } from "../../tools/ports/address.ts";
import { MqttNode } from "../../tools/ports/mqtt-node.ts";

/** Milliseconds that a node which waits for a gateway leaves it to configure the node. */
const SETTLE_MS = 1000;

interface NodeAtBrokerOptions {
  readonly address: MqttAddress;
  /** Its channels are the sensor's. */
  readonly node: Omit<NodeOptions, "sid" | "channels">;
  readonly sensor: Sensor;
  readonly periodMs: number;
  /** Milliseconds of its clock between checks; default: firmware's. Received frames are processed at once. */
  readonly pollMs?: number;
  /** Its clock runs so many times as fast as this machine's; default 1. */
  readonly speed?: number;
  /** True if it runs the self-test at each start; default true. */
  readonly selfTest?: boolean;
  /** True if its clock stands still until a gateway has met it, so that the gateway hears its first sample; default false. */
  readonly waits?: boolean;
  /** The line as the node has it, made from that to the broker, as of a network that loses packets. Default: the same. */
  readonly line?: (port: BytePort) => BytePort;
  /** Hears of each sample that was taken. */
  readonly sampled?: (sid: number, seq: number) => void;
  /** Called first with its answer to each label. */
  readonly answered?: (number: number, status: LabelStatus) => void;
}

/**
 * A node in this process, as firmware runs it: its boot, its turns, its sensor, flash that keeps its bytes from start to start, and
 * a connection of its own to a broker.
 */
export class NodeAtBroker {
  private readonly flash: SimulatedFlash;
  private running: { readonly node: StartedNode; readonly line: MqttNode } | undefined;
  private timer: NodeJS.Timeout | undefined;
  private seq = 0;

  constructor(private readonly options: NodeAtBrokerOptions) {
    const { node, sensor } = options;
    this.flash = new SimulatedFlash(storeBytes(nodeLayout({ ...node, sid: 1, channels: sensor.channels })));
  }

  /** Switches it on. */
  start(): void {
    const { address, node, sensor, periodMs, selfTest, line: around = (port) => port } = this.options;
    const line = new MqttNode(address, () => this.turns());
    this.running = {
      line,
      node: startNode({
        node,
        sensors: [sensor],
        periodMs,
        selfTest,
        firmware: "demo 1",
        boot: randomInt(2 ** 32),
        random: () => randomInt(2 ** 32),
        clock: this.clock(),
        transport: around(line.port),
        block: this.flash,
        memory: (bytes) => new PortableF32(new ArrayBuffer(bytes)),
      }),
    };
    const { station } = this.running.node;
    this.seq = station.node.seq;
    const tell = station.acknowledge.bind(station);
    station.acknowledge = (number, status, durable) => {
      this.options.answered?.(number, status);
      tell(number, status, durable);
    };
    this.turns();
  }

  private clock(): Clock {
    const { speed = 1, waits = false } = this.options;
    let began = waits ? undefined : performance.now();
    return {
      now: () => {
        // What the gateway asks of a node that it met is there before the first sample.
        if (began === undefined && this.running?.node.station.welcomed) began = performance.now() + SETTLE_MS;
        return Math.max(0, Math.round(speed * (performance.now() - (began ?? Number.POSITIVE_INFINITY))));
      },
    };
  }

  /** The node itself; undefined while it is off. */
  get node() {
    return this.running?.node.station.node;
  }

  /** Cuts its power: it disconnects silently, and keeps only its flash. */
  async cutPower(): Promise<void> {
    const { running } = this;
    this.running = undefined;
    clearTimeout(this.timer);
    await running?.line.close();
  }

  /** Drops its connection to the broker without a DISCONNECT; it reconnects. */
  drop(): void {
    this.running?.line.drop();
  }

  private turns(): void {
    if (!this.running) return;
    const { node, line } = this.running;
    let wait: number;
    do wait = node.turn();
    while (wait === 0 || line.port.available > 0);
    this.tellSample(node);
    clearTimeout(this.timer);
    const { pollMs = 0, speed = 1 } = this.options;
    this.timer = setTimeout(() => this.turns(), Math.max(wait, pollMs) / speed);
  }

  private tellSample({ station: { node } }: StartedNode): void {
    if (node.seq === this.seq) return;
    this.seq = node.seq;
    this.options.sampled?.(node.sid, node.seq);
  }
}
