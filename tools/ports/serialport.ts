import { UserError } from "../../host/errors.ts";

/**
 * The package `serialport`, which has native code and is installed separately. Throws a UserError that says
 * how.
 */
export async function loadSerialPort(): Promise<typeof import("serialport").SerialPort> {
  try {
    return (await import("serialport")).SerialPort;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new UserError(
      "a serial device needs the package serialport; install it beside motelearn: npm install serialport@13",
    );
  }
}
