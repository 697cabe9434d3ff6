export function fuzzCalls(c: string): string;
