import { test } from "uvu";
import { checkExperiments } from "./one-run.ts";

checkExperiments("long");
test.run();
