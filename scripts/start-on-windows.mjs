// npm start in a shell without `exec`: runs the server as a child of the shell. On other platforms this file
// runs only when the packages could not be prepared; the reason was printed, and nothing starts.
if (process.platform === 'win32') {
  const { prepared } = await import('./prepare.mjs');
  if (await prepared) await import('../packages/server/src/main.mjs');
} else process.exitCode = 1;
