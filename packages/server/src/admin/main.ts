// npm run admin -- COMMAND: commands for the operator, beside a running server or alone.
import { runAdmin } from './run.ts';

try {
  process.loadEnvFile();
} catch (error) {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
const { stdout, stderr } = process;
process.exitCode = await runAdmin(process.argv.slice(2), { settings: {}, stdout, stderr });
