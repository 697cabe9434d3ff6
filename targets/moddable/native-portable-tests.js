// In place of src/selftest/portable-tests.js in a board's firmware, where C calls the primitives that are tested.
export { testByC as testPrimitives } from "motelearn/dist/moddable/src/selftest/tests-in-c";
