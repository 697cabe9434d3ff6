// Bundles the page into dist/page: what a gateway serves, each file by itself.
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

/** Builds it; returns esbuild's metafile. */
export async function buildPage(root, { version }) {
  const folder = join(root, "dist/page");
  mkdirSync(folder, { recursive: true });
  const { metafile } = await build({
    absWorkingDir: root,
    bundle: true,
    minify: true,
    metafile: true,
    format: "esm",
    platform: "browser",
    target: ["chrome110", "firefox115", "safari16.4"],
    logLevel: "warning",
    entryPoints: { page: "tools/page/main.ts", styles: "tools/page/page.css" },
    outdir: "dist/page",
    define: { __VERSION__: JSON.stringify(version) },
  });
  for (const name of ["index.html", "icon.svg"])
    copyFileSync(join(root, "tools/page", name), join(folder, name));
  return metafile;
}
