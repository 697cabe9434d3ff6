import { randomUUID } from "node:crypto";
import type { IClientOptions, IPublishPacket, MqttClient } from "mqtt";
import { excerpt } from "../../tools/fusion/read-line.ts";
import type { MqttAddress } from "../../tools/ports/address.ts";
import { portFault } from "../../tools/ports/fault.ts";
import { connectAt } from "../../tools/ports/mqtt.ts";
import { LABEL } from "../api/label-request.ts";
import type { LabelIntake } from "./label-intake.ts";

const RETRY_MS = 2000;
const PAYLOAD_MAX = 1 << 12;
const LET_READ = "no label comes from it until the broker lets the gateway's user read it";

/**
 * Takes labels published on a topic as JSON. It acknowledges a message to the broker once the label is on
 * disk or refused. The client's id is permanent, so the broker keeps messages while the gateway doesn't run.
 */
export class MqttIntake {
  constructor(
    private readonly address: MqttAddress,
    private readonly desk: LabelIntake,
  ) {}

  async run(): Promise<void> {
    const { desk, address } = this;
    await desk.awaitMet();
    const clientId = await this.clientId();
    if (clientId === undefined) return;
    const options: IClientOptions = { clientId, clean: false, reconnectPeriod: RETRY_MS };
    const client = connectAt(address, options);
    let lost = "";
    client.on("error", (error: Error) => {
      const { message } = portFault(topicText(address), address, error);
      if (message !== lost) desk.refuse(message);
      lost = message;
    });
    client.on("connect", () => {
      lost = "";
      client.subscribe(address.name, { qos: 1 }, (error) => {
        if (error && client.connected) desk.refuse(`${topicText(address)}: ${error.message}; ${LET_READ}`);
      });
    });
    client.handleMessage = (packet, done) => this.answer(client, packet as IPublishPacket, done);
    while (!desk.closed) await desk.pause(60_000);
    await client.endAsync(true);
  }

  /** The id under which the broker keeps messages, once it is on disk; undefined: the desk was closed. */
  private async clientId(): Promise<string | undefined> {
    const { desk } = this;
    while (!desk.closed) {
      let id = "";
      const isKept = await this.attempt(() => {
        id = desk.ports.place() ?? `motelearn-${randomUUID()}`;
        desk.ports.keep(id);
      });
      if (isKept) return id;
      await desk.pause(RETRY_MS);
    }
    return undefined;
  }

  /** True if it is on disk; false: the database can't be read or written now, try again later. */
  private async attempt(act: () => void): Promise<boolean> {
    const { desk, address } = this;
    try {
      act();
      return (await desk.ports.awaitCommit()) === undefined;
    } catch (error) {
      desk.refuse(`${topicText(address)}: its labels wait: ${(error as Error).message}`);
      return false;
    }
  }

  /** Acknowledges a message to the broker; one from a lost connection comes again. */
  private answer(client: MqttClient, packet: IPublishPacket, done: () => void): void {
    const { stream } = client;
    this.take(packet).then((dealtWith) => {
      if (dealtWith && client.stream === stream) done();
    });
  }

  /** True if it is on disk, or will never be. */
  private async take({ payload }: IPublishPacket): Promise<boolean> {
    const { desk } = this;
    const text = String(payload);
    const from = topicText(this.address);
    const label = text.length > PAYLOAD_MAX ? `more than ${PAYLOAD_MAX} bytes` : LABEL.read(text);
    if (typeof label === "string") {
      desk.refuse(`${from}: ${label}: ${excerpt(text)}`);
      return true;
    }
    await desk.awaitReached(label);
    for (;;) {
      await desk.room();
      if (desk.closed) return false;
      if (await this.attempt(() => desk.hand(label, from))) return true;
      await desk.pause(RETRY_MS);
    }
  }
}

const topicText = ({ name }: MqttAddress) => `topic ${name}`;
