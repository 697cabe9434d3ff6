import { test } from "uvu";
import { checkLine } from "./shipped.ts";

for (const name of ["four-motes", "bearings"]) checkLine(name);

test.run();
