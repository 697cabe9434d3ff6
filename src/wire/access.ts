/** The getter and the setter of a place among the numbers of a shared record, for all fields there. */
export function accessAt(place: number): PropertyDescriptor & ThisType<{ readonly numbers: Uint32Array }> {
  const at = place; // XS keeps what a function takes in flash if it is a constant, and no parameter is
  return {
    get() {
      return this.numbers[at];
    },
    set(value: number) {
      this.numbers[at] = value;
    },
  };
}
