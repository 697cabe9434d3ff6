// Replaces src/wire/portable-frames.js in a board's firmware: `new PortableFrames()` handles frames in C.
export { nativeFrames as PortableFrames } from "motelearn/dist/moddable/targets/moddable/native-frames";
