import { test } from "uvu";
import { checkResumed } from "./resumed.ts";

checkResumed(90, [1, 7, 32]);

test.run();
