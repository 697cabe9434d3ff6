// Writes SPEC.md's tables of messages from src/wire/messages.ts. npm run build:spec
import { readFileSync, writeFileSync } from "node:fs";
import { withTables } from "./spec-tables.ts";

writeFileSync("SPEC.md", withTables(readFileSync("SPEC.md", "utf8")));
