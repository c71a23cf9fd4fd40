// npm start where the shell has no `exec`: the same server as a child of the shell. Elsewhere the packages could
// not be prepared, which was said, and nothing starts.
if (process.platform === 'win32') {
  const { prepared } = await import('./prepare.mjs');
  if (await prepared) await import('../packages/server/src/main.mjs');
} else process.exitCode = 1;
