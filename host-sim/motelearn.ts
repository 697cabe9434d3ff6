/**
 * What `import "motelearn"` gives on Node: what stands in src/index.ts, where a learner, node or window that is given no memory
 * lies in WebAssembly's, to the same bits several times faster. MOTELEARN_ARITHMETIC=typescript takes the portable path.
 */
import { allocateBy } from "../src/memory/layout.ts";
import { arithmetic } from "./arithmetic.ts";

allocateBy((layout) => arithmetic().allocate(layout));

export * from "../src/index.ts";
