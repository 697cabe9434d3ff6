// Replaces src/math/f32.js in a board's firmware: `new PortableF32(buffer)` computes in C.
export { nativeF32 as PortableF32 } from "motelearn/dist/moddable/targets/moddable/native-f32";
