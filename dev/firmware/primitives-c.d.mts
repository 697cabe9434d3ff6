export function primitivesC(root: string): string;
