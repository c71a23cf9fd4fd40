// The program of the operator: reads the settings and runs the command.
import { readEnvFile } from '#config';
import { runAdmin } from './run.ts';

const { stdout, stderr } = process;

async function main(): Promise<number> {
  try {
    readEnvFile();
  } catch (error) {
    stderr.write(`${(error as Error).message}\n`);
    return 1;
  }
  return runAdmin(process.argv.slice(2), { settings: {}, stdout, stderr });
}

process.exitCode = await main();
