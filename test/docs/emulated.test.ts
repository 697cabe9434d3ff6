import { test } from "uvu";
import * as assert from "uvu/assert";
import { EMULATED_PAGE, emulatedPage } from "../../dev/docs/emulated-page.ts";
import { readPage } from "./pages.ts";

test("docs/emulated.md is what npm run build:emulated writes of the runs and of today's plans", () => {
  // Not `assert.is`: it would print a difference of hundreds of lines.
  assert.ok(readPage(EMULATED_PAGE) === emulatedPage(), `${EMULATED_PAGE}: run npm run build:emulated`);
});

test.run();
