// npm run build:api: writes docs/openapi.json and docs/api.md from the gateway's table of routes.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { answerSchemas } from "./answer-schemas.ts";
import { apiPage } from "./api-page.ts";
import { openapi } from "./openapi.ts";

const schemas = answerSchemas();
writeFileSync("docs/openapi.json", JSON.stringify(openapi(schemas)));
writeFileSync("docs/api.md", apiPage(schemas));
execFileSync("npx", ["biome", "format", "--write", "docs/openapi.json"], { stdio: "inherit" });
