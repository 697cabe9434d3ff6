/** An engine has no room for a memory of that many bytes. This class distinguishes it from a wrong option. */
export class OutOfMemoryError extends RangeError {
  override readonly name: string = "OutOfMemoryError";

  constructor(
    readonly bytes: number,
    most = "",
  ) {
    super(`memory: allocation failed: ${bytes} bytes${most}`);
  }
}
