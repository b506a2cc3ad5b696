export function isAllowed(reason: string, env?: NodeJS.ProcessEnv): boolean;
export function notRunIn(output: string): string[];
export function notRunLine(what: string, reason: string, env?: NodeJS.ProcessEnv): string;
export function unallowed(lines: readonly string[]): string[];
export const remedy: string;
