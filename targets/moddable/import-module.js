// JavaScript, because TypeScript wraps `import(name)` in regular expressions, which add 30 KB of XS to every
// firmware.
export const importModule = (name) => import(name);
