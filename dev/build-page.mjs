// Bundles the page into dist/page: separate files for a gateway to serve, and serial.html, one file for a
// board at the computer.
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

/** One HTML file that loads nothing and runs only this script: its policy names the script's hash. */
function oneFile(script, style) {
  const safe = script.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
  const hash = createHash("sha256").update(safe).digest("base64");
  const policy = `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data: blob:`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="color-scheme" content="light dark">
<title>Motelearn</title>
<style>${style}</style>
</head>
<body>
<noscript><p>This page needs JavaScript.</p></noscript>
<div id="app"></div>
<script type="module">${safe}</script>
</body>
</html>
`;
}

/** Builds it; returns esbuild's metafile. */
export async function buildPage(root, { version }) {
  const folder = join(root, "dist/page");
  mkdirSync(folder, { recursive: true });
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    bundle: true,
    minify: true,
    metafile: true,
    write: false,
    format: "esm",
    platform: "browser",
    target: ["chrome110", "firefox115", "safari16.4"],
    logLevel: "warning",
    entryPoints: {
      page: "fleet/page/main.ts",
      serial: "fleet/page/serial.ts",
      styles: "fleet/page/page.css",
    },
    outdir: "dist/page",
    define: { __VERSION__: JSON.stringify(version) },
  });
  const outputText = (name) => outputFiles.find(({ path }) => path === join(folder, name)).text;
  for (const name of ["page.js", "styles.css"]) writeFileSync(join(folder, name), outputText(name));
  writeFileSync(join(folder, "serial.html"), oneFile(outputText("serial.js"), outputText("styles.css")));
  for (const name of ["index.html", "icon.svg"])
    copyFileSync(join(root, "fleet/page", name), join(folder, name));
  return metafile;
}
