// The checks of `npm run docs` on the built site and on typedoc's warnings.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** External links, and links that only the browser resolves. */
const ELSEWHERE = /^(https?:|mailto:|data:|javascript:)/;

function listPages(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(".html"))
    .map((name) => join(folder, name))
    .sort();
}

const unescapeHtml = (text) =>
  text.replaceAll("&amp;", "&").replaceAll("&quot;", '"').replaceAll("&#39;", "'");

/** The targets of the page's links, each once. */
function findLinks(text) {
  return [...new Set([...text.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, link]) => unescapeHtml(link)))];
}

function readAnchors(file, known) {
  if (!known.has(file)) {
    const text = readFileSync(file, "utf8");
    known.set(file, new Set([...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => unescapeHtml(id))));
  }
  return known.get(file);
}

/** The page's links that lead to no file of the site, or to no place of a page: "page: link". */
export function deadLinks(folder) {
  const anchors = new Map();
  const dead = [];
  for (const page of listPages(folder)) {
    for (const link of findLinks(readFileSync(page, "utf8")).filter((link) => !ELSEWHERE.test(link))) {
      const [path, anchor] = link.split("#");
      const [file, query] = path.split("?");
      const named = file === "" ? page : join(dirname(page), decodeURIComponent(file));
      const target = file.endsWith("/") ? join(named, "index.html") : named;
      const isThere = query === undefined && existsSync(target) && statSync(target).isFile();
      const hasPlace =
        !anchor ||
        !target.endsWith(".html") ||
        (isThere && readAnchors(target, anchors).has(decodeURIComponent(anchor)));
      if (!isThere || !hasPlace) dead.push(`${relative(folder, page)}: ${link}`);
    }
  }
  return dead;
}

/** Symbols that need no comment: a property's interface or a setter's getter has it. */
const UNSAID = ["Property", "SetSignature"];

/** The exported symbols and methods without a comment. `warnings`: typedoc's. */
export function findUndocumented(warnings) {
  return warnings
    .map((text) => /^(\S+) \((\w+)\), defined in (\S+), does not have any documentation/.exec(text))
    .filter((found) => found && !UNSAID.includes(found[2]))
    .map(([, name, , file]) => `${name} (${file.replace(/^[^/]+\//, "")})`);
}
