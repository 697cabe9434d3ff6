import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

function packaged(path: string): string {
  return readFileSync(require.resolve(`uplot/${path}`), "utf8").trim();
}

/** uPlot as it goes into a page: its script, under its licence, and its style sheet. */
export function plottingLibrary(): { readonly script: string; readonly style: string } {
  const script = `/*\n${packaged("LICENSE")}\n*/\n${packaged("dist/uPlot.iife.min.js")}`;
  return { script: script.replaceAll("</script", "<\\/script"), style: packaged("dist/uPlot.min.css") };
}
