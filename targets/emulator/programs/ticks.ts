/** So shortly before it wraps an emulated clock starts. */
const START = 0x7fffffff - 1500;

/** What a device's clock of 32 bits, signed, shows that many milliseconds after its start. */
export function ticksAfter(ms: number): number {
  return (START + Math.floor(ms)) | 0;
}
