import { modelCrc } from "../learn/model-bytes.ts";
import { IMAGE_STATUS } from "../store/paged-image.ts";
import type { LabelTag } from "../wire/label-tag.ts";
import type { Message } from "../wire/messages.ts";
import type { PeerPort } from "./framing.ts";
import { type Ask, UpdateSender } from "./update.ts";

/** The order to install a model, in a label's place: see `encodeModel`. */
export interface Install {
  /** Its place among the node's labels, from 1. */
  readonly number: number;
  /** The model's bytes. */
  readonly model: Uint8Array;
  /** The labeller's tag, for a node with a label key, see `installTag`. Default: none. */
  readonly tag?: ArrayLike<number>;
}

/** The tag of an install, for a node with a label key in session `sid`. */
export function installTag(labelTag: LabelTag, { number, model }: Install, sid: number): number[] {
  labelTag.computeInstall({ sid, number, model, crc: modelCrc(model) });
  return labelTag.words;
}

/** Sends a node the model of an install, and orders it once its bytes are there, until the node has answered that number. */
export class InstallSender extends UpdateSender {
  /** @param sid the node's session. */
  constructor(
    readonly install: Install,
    private readonly sid: number,
  ) {
    super(install.model, 0);
    this.go();
  }

  override take(answer: Message<"updating">, now: number): void {
    super.take(answer, now);
    if (this.status === IMAGE_STATUS.whole) this.activate();
  }

  protected override ask(port: PeerPort, start: number): Ask {
    const { crc, image, install } = this;
    const message = port.outgoing("install");
    message.start = start;
    message.sid = this.sid;
    message.number = install.number;
    message.bytes = image.length;
    message.crc = crc;
    message.length = install.tag?.length ?? 0;
    if (install.tag) message.tag.set(install.tag);
    return "install";
  }
}
