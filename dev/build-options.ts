// Writes src/learn/learner-options.ts and learners.ts from the registry. npm run build:options
import { writeFileSync } from "node:fs";
import { classesText, optionsText } from "./options-text.ts";

writeFileSync("src/learn/learner-options.ts", optionsText());
writeFileSync("src/learn/learners.ts", classesText());
