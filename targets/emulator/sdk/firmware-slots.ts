/** In place of moddable/firmware-slots.ts: the emulated board's firmware is not in its flash. */
export function openSlots(): undefined {
  return undefined;
}
