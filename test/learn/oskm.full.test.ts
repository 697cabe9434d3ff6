import "../../host-sim/motelearn.ts";
import { test } from "uvu";
import { checkOrdinary } from "./ordinary-oskm.ts";

for (const scale of [0.001, 0.05, 1000]) checkOrdinary(scale);

test.run();
