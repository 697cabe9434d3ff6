// The changes that a release makes to files' texts.

/** The files that name the version, and how. */
export const NAMED = [
  { file: "docs/own-sensor.md", text: (version) => `motelearn-${version}.tgz` },
  { file: "SECURITY.md", text: (version) => `The newest version, ${version},` },
  { file: "targets/moddable/manifest.json", text: (version) => `"firmware": "motelearn ${version}"` },
  { file: "targets/examples/package/package.json", text: (version) => `"motelearn": "${version}"` },
];

const HEADING = /^## (.*unreleased.*)\n/im;

/** Three numbers, or undefined. */
function parseVersion(version) {
  const [, ...parts] = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.exec(version ?? "") ?? [];
  return parts.length === 3 ? parts.map(Number) : undefined;
}

/** Negative, 0 or positive if `a` is the older, the same or the newer version. */
export function compareVersions(a, b) {
  const [one, other] = [parseVersion(a), parseVersion(b)];
  const at = one.findIndex((part, i) => part !== other[i]);
  return at < 0 ? 0 : one[at] - other[at];
}

/**
 * Why the version can't be released, in one line; undefined: it can. `tagged`: the last version with a tag.
 */
export function versionFault(version, current, tagged) {
  if (!parseVersion(version)) return `got version ${version}; takes three numbers, such as 0.2.0`;
  if (tagged !== undefined && compareVersions(version, tagged) <= 0)
    return `version ${version}: takes one greater than ${tagged}, which has a tag`;
  if (compareVersions(version, current) < 0)
    return `version ${version}: takes ${current}, which package.json has, or a greater one`;
  return undefined;
}

/** The text of the changelog's first chapter, if that isn't released yet. */
function unreleasedText(changelog) {
  const [, first = ""] = changelog.split(/^(?=## )/m);
  return HEADING.test(first) ? first.replace(HEADING, "").trim() : undefined;
}

export function changelogFault(changelog) {
  const text = unreleasedText(changelog);
  if (text === undefined)
    return "CHANGELOG.md: its first chapter isn't the unreleased one; write what changed under ## Unreleased";
  if (text === "") return "CHANGELOG.md: the unreleased chapter is empty; write what changed for users";
  return undefined;
}

/** The changelog with the unreleased chapter renamed to that version, and an empty one above it. */
export function releasedChangelog(changelog, version, date) {
  return changelog.replace(HEADING, `## Unreleased\n\n## ${version}, ${date}\n`);
}

/** package.json's or package-lock.json's text with that version. */
export function withVersion(text, version) {
  const json = JSON.parse(text);
  json.version = version;
  if (json.packages?.[""]) json.packages[""].version = version;
  return `${JSON.stringify(json, null, 2)}\n`;
}
