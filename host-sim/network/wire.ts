import { Random } from "../../host/random.ts";
import { Peer, type PeerOptions } from "../../src/peer/peer.ts";
import type { DownName, UpName } from "../../src/wire/messages.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { LinkTally } from "../scoring/result.ts";
import { FrameInTransit } from "./frame-in-transit.ts";
import { Line, lineCuts } from "./line.ts";
import { RecordPeerPort, Transmitter } from "./peer-port.ts";
import { MessageRecords } from "./records.ts";
import type { Listener } from "./simulated-node.ts";
import { exact, type VirtualTime } from "./time.ts";
import { ByteUart, RecordUart } from "./uart.ts";

export interface WireParts {
  readonly scenario: Pick<Scenario, "link" | "node" | "seed">;
  /** Names it among random streams. */
  readonly name: string;
  /** Samples of the stream: line cuts fall among them. */
  readonly samples: number;
  readonly time: VirtualTime;
  /** Called with what the node sends, where messages are records. */
  readonly listener: Listener;
  readonly bytes: boolean;
  readonly peer: Pick<PeerOptions, "id" | "labels" | "samples" | "key" | "random" | "on">;
}

/** A node's UART, a line each way, and the peer at the other end. */
export class Wire {
  readonly up: Line<UpName>;
  readonly down: Line<DownName>;
  readonly uart: ByteUart | RecordUart;
  readonly peer: Peer;
  private readonly records: RecordPeerPort | undefined;

  constructor({ scenario, name, samples, time, listener, bytes, peer }: WireParts) {
    const { link, node, seed } = scenario;
    const periodMs = exact(node.periodMs);
    const cuts = lineCuts({ cuts: link.cuts, periodMs }, new Random(seed, `${name}/cuts`), samples);
    this.up = new Line(link, periodMs, cuts, seed, `${name}/up`);
    this.down = new Line(link, periodMs, cuts, seed, `${name}/down`);
    this.uart = bytes
      ? new ByteUart(this.up, time)
      : new RecordUart(this.up, time, listener, new MessageRecords());
    const transmitter = new Transmitter(this.down, time);
    this.records = bytes ? undefined : new RecordPeerPort(transmitter, new MessageRecords());
    const write = (frame: Uint8Array) =>
      transmitter.send(new FrameInTransit<DownName>(frame.length, undefined, undefined, frame.slice()));
    this.peer = new Peer({
      ...peer,
      write: this.records ?? write,
      now: () => time.now,
      window: link.window,
      resendMs: link.resendAfter * periodMs,
    });
  }

  /** The peer takes the next frame from the line. */
  deliverUp(): void {
    const { peer, records } = this;
    const parcel = this.up.take();
    if (records) {
      const name = records.arrive(parcel);
      if (name) peer.take(name);
    } else {
      peer.receive(parcel.bytes as Uint8Array);
    }
    peer.tick();
  }

  tally(): LinkTally {
    const { up, down, peer, uart } = this;
    const { labelsResent, samplesRefed } = peer.counts;
    return {
      up: up.tally,
      down: down.tally,
      labelsResent,
      samplesRefed,
      overruns: uart.overruns,
    };
  }
}
