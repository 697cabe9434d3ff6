// In place of src/wire/portable-frames.js in a board's firmware, where C does what is done to frames: `new PortableFrames()`
// gives that.
export { nativeFrames as PortableFrames } from "motelearn/dist/moddable/targets/moddable/native-frames";
