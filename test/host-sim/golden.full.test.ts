import { test } from "uvu";
import { checkGolden } from "./golden.ts";

checkGolden("four-motes");

test.run();
