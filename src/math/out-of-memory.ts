/** An engine has no room for a memory of that many bytes. Programs tell it by this class from an option that is wrong. */
export class OutOfMemoryError extends RangeError {
  override readonly name: string = "OutOfMemoryError";

  constructor(
    readonly bytes: number,
    most = "",
  ) {
    super(`memory: allocation failed: ${bytes} bytes${most}`);
  }
}
