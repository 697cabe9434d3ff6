// What `npm run docs` looks for in the site that it built, and in what typedoc says of the sources.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** Links out of the site, or to nothing but a place that the browser makes. */
const ELSEWHERE = /^(https?:|mailto:|data:|javascript:)/;

function pagesOf(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(".html"))
    .map((name) => join(folder, name))
    .sort();
}

const unescaped = (text) => text.replaceAll("&amp;", "&").replaceAll("&quot;", '"').replaceAll("&#39;", "'");

/** Where the page's links lead, each once. */
function linksOf(text) {
  return [...new Set([...text.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, link]) => unescaped(link)))];
}

function anchorsOf(file, known) {
  if (!known.has(file)) {
    const text = readFileSync(file, "utf8");
    known.set(file, new Set([...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => unescaped(id))));
  }
  return known.get(file);
}

/** The page's links that lead to no file of the site, or to no place of a page: "page: link". */
export function deadLinks(folder) {
  const anchors = new Map();
  const dead = [];
  for (const page of pagesOf(folder)) {
    for (const link of linksOf(readFileSync(page, "utf8")).filter((link) => !ELSEWHERE.test(link))) {
      const [path, anchor] = link.split("#");
      const [file, query] = path.split("?");
      const target = file === "" ? page : join(dirname(page), decodeURIComponent(file));
      const isThere = query === undefined && existsSync(target) && statSync(target).isFile();
      const hasPlace =
        !anchor ||
        !target.endsWith(".html") ||
        (isThere && anchorsOf(target, anchors).has(decodeURIComponent(anchor)));
      if (!isThere || !hasPlace) dead.push(`${relative(folder, page)}: ${link}`);
    }
  }
  return dead;
}

/** What says nothing of its own: a property is named by its interface, a setter by its getter. */
const UNSAID = ["Property", "SetSignature"];

/** Of the symbols that the package exports, and their methods, those that no comment describes. `warnings`: typedoc's. */
export function undocumented(warnings) {
  return warnings
    .map((text) => /^(\S+) \((\w+)\), defined in (\S+), does not have any documentation/.exec(text))
    .filter((found) => found && !UNSAID.includes(found[2]))
    .map(([, name, , file]) => `${name} (${file.replace(/^[^/]+\//, "")})`);
}
