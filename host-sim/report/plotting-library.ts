import script from "uplot/dist/uPlot.iife.min.js" with { type: "text" };
import style from "uplot/dist/uPlot.min.css" with { type: "text" };
import licence from "uplot/LICENSE" with { type: "text" };

/** uPlot for a page: its script, under its licence, and its style sheet. */
export function plottingLibrary(): { readonly script: string; readonly style: string } {
  const licensed = `/*\n${licence.trim()}\n*/\n${script.trim()}`;
  return { script: licensed.replaceAll("</script", "<\\/script"), style: style.trim() };
}
