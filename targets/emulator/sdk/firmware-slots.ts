/** Replaces moddable/firmware-slots.ts: the emulated board's firmware isn't in its flash. */
export function openSlots(): undefined {
  return undefined;
}
