// JavaScript, as TypeScript puts regular expressions around `import(name)`, and so 30 KB of XS into every firmware.
export const importModule = (name) => import(name);
