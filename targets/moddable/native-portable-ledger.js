// In place of src/node/portable-ledger.js in a board's firmware, where C keeps the ledger: `new PortableLedger(f32, at)` gives that.
export { nativeLedger as PortableLedger } from "motelearn/dist/moddable/targets/moddable/native-ledger";
