import { resolvedColour } from "./dom.ts";
import { lineColour, type Plot } from "./plot.ts";

const HEAD = 40;
const MARGIN = 12;

/** The plots as they are seen, one below the other, with their titles and legends. */
export function drawPicture(title: string, plots: readonly Plot[]): Promise<Blob | null> {
  const scale = devicePixelRatio;
  const width = Math.max(...plots.map(({ canvas }) => canvas.width)) + 2 * MARGIN * scale;
  const height = plots.reduce(
    (sum, { canvas }) => sum + canvas.height + HEAD * scale,
    (HEAD + MARGIN) * scale,
  );
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d") as CanvasRenderingContext2D;
  context.fillStyle = resolvedColour("--paper");
  context.fillRect(0, 0, width, height);
  context.scale(scale, scale);
  context.textBaseline = "top";
  context.fillStyle = resolvedColour("--ink");
  context.font = "600 15px system-ui, sans-serif";
  context.fillText(title, MARGIN, MARGIN);
  let y = HEAD;
  for (const plot of plots) {
    legend(context, plot, y);
    context.drawImage(plot.canvas, MARGIN, y + HEAD, plot.canvas.width / scale, plot.canvas.height / scale);
    y += HEAD + plot.canvas.height / scale;
  }
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

function legend(context: CanvasRenderingContext2D, { title, specs, readings }: Plot, y: number): void {
  context.fillStyle = resolvedColour("--ink");
  context.font = "600 12px system-ui, sans-serif";
  context.fillText(title, MARGIN, y + 4);
  context.font = "12px system-ui, sans-serif";
  let x = MARGIN;
  specs.forEach(({ label, unit }, i) => {
    const text = `${label} ${readings[i]} ${unit}`.trim();
    context.fillStyle = resolvedColour(lineColour(i));
    context.fillText("●", x, y + 21);
    context.fillStyle = resolvedColour("--ink");
    context.fillText(text, x + 13, y + 21);
    x += context.measureText(text).width + 30;
  });
}
