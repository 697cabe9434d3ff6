/** The primitives of f32.c. The module imports `env.memory`; a function takes the byte at which the words begin first. */
declare const code: Uint8Array;
export default code;
