/**
 * The exports of `import "motelearn"` on Node: those of src/index.ts. A learner, node or window without memory of its own lies in
 * WebAssembly's memory. It computes the same bits several times faster. MOTELEARN_ARITHMETIC=typescript takes the portable path.
 */

import { arithmetic } from "../host/arithmetic.ts";
import { allocateBy } from "../src/memory/layout.ts";

allocateBy((layout) => arithmetic().allocate(layout));

export * from "../src/index.ts";
