// Writes src/learn/learner-options.ts from the learners' tables of options. npm run build:options
import { writeFileSync } from "node:fs";
import { optionsText } from "./options-text.ts";

writeFileSync("src/learn/learner-options.ts", optionsText());
