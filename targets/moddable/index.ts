/** The library for Moddable: what stands in src/index.ts, the C primitives, and the flash of a device. */
export * from "../../src/index.ts";
export { nodeStore } from "../../src/node/schema.ts";
export { Station } from "../../src/node/station.ts";
export { selfTest, selfTestBytes } from "../../src/selftest/self-test.ts";
export { FlashPartition } from "./flash-partition.ts";
export { nativeF32 } from "./native-f32.ts";
