// npm run build:emulated: writes docs/emulated.md of what `npm run test:idf` kept in dev/idf/ran.json, beside what `plan` says now.
import { writeFileSync } from "node:fs";
import { EMULATED_PAGE, emulatedPage } from "./emulated-page.ts";

writeFileSync(EMULATED_PAGE, emulatedPage());
