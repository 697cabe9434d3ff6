// The text of a firmware's src/wire/access.js: a function that has its place as a literal takes no environment, which is four slots of flash.

/** More places than the messages take; those that nothing asks for aren't linked. */
const PLACES = 64;

const accessTo = (place) =>
  `{ get() { return this.numbers[${place}]; }, set(value) { this.numbers[${place}] = value; } }`;

export const ACCESS_MODULE = `const ACCESS = [${Array.from({ length: PLACES }, (_, place) => accessTo(place)).join(", ")}];
function accessAt(place) {
  if (place >= ACCESS.length) throw new RangeError("access.mjs: more places than it has");
  return ACCESS[place];
}
export { accessAt };
`;
