import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { answerSchemas } from "../../dev/docs/answer-schemas.ts";
import { apiPage } from "../../dev/docs/api-page.ts";
import { openapi } from "../../dev/docs/openapi.ts";

test("docs/api.md and docs/openapi.json are what npm run build:api writes", () => {
  const schemas = answerSchemas();
  assert.ok(readFileSync("docs/api.md", "utf8") === apiPage(schemas), "docs/api.md is stale");
  const written = JSON.parse(readFileSync("docs/openapi.json", "utf8"));
  assert.equal(written, JSON.parse(JSON.stringify(openapi(schemas))), "docs/openapi.json is stale");
});

test.run();
