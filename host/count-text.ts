/** "1 row", "2 rows". @param noun whose plural has an s. */
export function countText(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
