// Writes the tables of docs/spec/wire.md of messages from src/wire/messages.ts. npm run build:spec
import { readFileSync, writeFileSync } from "node:fs";
import { withTables } from "./spec-tables.ts";

const PAGE = "docs/spec/wire.md";
writeFileSync(PAGE, withTables(readFileSync(PAGE, "utf8")));
