// A process that damages frames on a line: node proxy.mjs '{"listen":PATH,"to":PATH,"seed":1,"rate":0.3}'. A
// client of `listen` reaches `to`, at 115200 baud; when one end closes, so does the other. On SIGTERM it
// prints how many frames it damaged.
import { connect, createServer, type Socket } from "node:net";
import { Random } from "../../host/random.ts";
import { Line } from "../wire/ends.ts";

const STEP_MS = 5;
const FRAME_MAX = 128;
const { listen, to, seed, rate } = JSON.parse(process.argv[2]);

/** One direction, split into frames. */
class Way {
  readonly line: Line;
  out: Socket | undefined;
  private frame: number[] = [];

  constructor(name: string) {
    this.line = new Line(new Random(seed, name), rate);
  }

  take(bytes: Uint8Array): void {
    for (const byte of bytes) {
      this.frame.push(byte);
      const ends = byte === 0 && this.frame.length > 1;
      if (!ends && this.frame.length < FRAME_MAX) continue;
      this.line.send(performance.now(), Uint8Array.from(this.frame));
      this.frame = [];
    }
  }

  step(milliseconds: number): void {
    const bytes = this.line.deliver(performance.now(), milliseconds);
    if (bytes.length > 0) this.out?.write(Uint8Array.from(bytes));
  }
}

const ways = { down: new Way("down"), up: new Way("up") };

createServer((host) => {
  const node = connect(to);
  ways.down.out = node;
  ways.up.out = host;
  host.on("data", (bytes) => ways.down.take(bytes as Uint8Array));
  node.on("data", (bytes) => ways.up.take(bytes as Uint8Array));
  for (const [one, other] of [
    [host, node],
    [node, host],
  ]) {
    one.on("error", () => {});
    one.on("close", () => other.destroy());
  }
}).listen(listen, () => console.log("ready"));

let before = performance.now();
setInterval(() => {
  const now = performance.now();
  for (const way of Object.values(ways)) way.step(now - before);
  before = now;
}, STEP_MS);

process.on("SIGTERM", () => {
  const share = ({ line }: Way) => ({
    frames: line.frames,
    spoilt: line.spoilt,
    unforeseen: line.unforeseen,
  });
  console.log(JSON.stringify({ down: share(ways.down), up: share(ways.up) }));
  process.exit();
});
