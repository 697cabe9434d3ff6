import { test } from "uvu";
import { checkLine } from "./shipped.ts";

checkLine("one-scene");

test.run();
