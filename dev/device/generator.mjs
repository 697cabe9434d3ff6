const [MODULUS, ROOT] = [2147483647, 16807];

/** A Lehmer generator (prime modulus, primitive root): numbers of 0..1, the same in each run with that seed. */
export function generator(seed) {
  let state = seed;
  return () => {
    state = (state * ROOT) % MODULUS;
    return state / MODULUS;
  };
}
