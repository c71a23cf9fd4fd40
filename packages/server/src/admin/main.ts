// npm run admin -- COMMAND: what only the operator may do, beside a running server or alone.
import { runAdmin } from './run.ts';

const { stdout, stderr } = process;
try {
  process.loadEnvFile();
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code !== 'ENOENT') {
    stderr.write(`.env cannot be read: ${message}\n`);
    process.exit(1);
  }
}
process.exitCode = await runAdmin(process.argv.slice(2), { settings: {}, stdout, stderr });
