import config from "mc/config";
import { Uart } from "motelearn/board";
import Timer from "timer";

// Says each second on the UART what the chip's heap and XS's task have left, beside the firmware's main module.
const SAY_MS = 1000;

function bytesLeft() {
  return native("measured_bytes").call(this);
}

/** The SDK calls it before the main module runs. */
export default function (done) {
  const uart = new Uart(config.wire.release);
  Timer.repeat(() => {
    const line = new Uint8Array(ArrayBuffer.fromString(`${bytesLeft()}\r\n`));
    uart.write(line, 0, line.length);
  }, SAY_MS);
  done();
}
