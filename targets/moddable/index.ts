/** The library for Moddable: src/index.ts, the C primitives, and the flash of a device. */
export * from "../../src/index.ts";
export { FlashPartition } from "./flash-partition.ts";
export { nativeF32 } from "./native-f32.ts";
