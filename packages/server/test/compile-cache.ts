// Where this process keeps compiled code, for child processes that get nothing else of its environment.

const folder = process.env['NODE_COMPILE_CACHE'];

/** A setting for a child process. Without it every start of a TypeScript program loads the compiler. */
export const compileCache: Readonly<Record<string, string>> =
  folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
