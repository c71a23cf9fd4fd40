// Types of built-program.mjs, for the scripts and tests in TypeScript.
export const manifestName: string;
export function buildsIn(root: string): string;
export function stateOf(file: string): string;
export function findBuiltProgram(root: string): string | undefined;
