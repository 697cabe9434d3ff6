// Replaces src/selftest/portable-tests.js in a board's firmware, where C calls the primitives under test.
export { testByC as testPrimitives } from "motelearn/dist/moddable/src/selftest/tests-in-c";
