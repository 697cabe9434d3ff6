import { test } from "uvu";
import { checkGolden } from "./golden.ts";

checkGolden("one-scene");

test.run();
