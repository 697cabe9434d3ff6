/** How long before its wrap an emulated clock starts. */
const START = 0x7fffffff - 1500;

/** The reading of a device's signed 32-bit clock that many milliseconds after its start. */
export function ticksAfter(ms: number): number {
  return (START + Math.floor(ms)) | 0;
}
