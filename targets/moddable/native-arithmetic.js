// In place of src/math/f32.js in a board's firmware, where all memory computes in C: `new PortableF32(buffer)` gives that.
export { nativeF32 as PortableF32 } from "motelearn/dist/moddable/targets/moddable/native-f32";
