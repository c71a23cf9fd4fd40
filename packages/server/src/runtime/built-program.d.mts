// Types of built-program.mjs, for the scripts and tests in TypeScript.
export interface SourceState {
  readonly time: number;
  readonly size: number;
  readonly hash: string;
}
export const manifestName: string;
export function buildsIn(root: string): string;
export function hashOf(content: string | Uint8Array): string;
export function findBuiltProgram(root: string): string | undefined;
