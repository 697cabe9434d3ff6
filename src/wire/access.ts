/** The getter and the setter of a place among the numbers of a shared record, for all fields there. */
export function accessAt(place: number): PropertyDescriptor & ThisType<{ readonly numbers: Uint32Array }> {
  return {
    get() {
      return this.numbers[place];
    },
    set(value: number) {
      this.numbers[place] = value;
    },
  };
}
