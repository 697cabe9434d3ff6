// Replaces src/node/portable-ledger.js in a board's firmware: `new PortableLedger(f32, at)` keeps the ledger
// in C.
export { nativeLedger as PortableLedger } from "motelearn/dist/moddable/targets/moddable/native-ledger";
