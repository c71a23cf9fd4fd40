// Checks before a start loads the service: a wrong setting is refused at once.
import { hiderOfSecrets, readConfig, requireDataDir } from '#config';
import type { Config } from '#config';

/** Loads a `.env` file in the working directory for variables that the environment does not set. */
function readEnvFile(): void {
  try {
    process.loadEnvFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/**
 * Reads the settings and checks that DATA_DIR is writable.
 * @throws Error with a message for the operator, without the secrets of the settings
 */
export async function readSettings(): Promise<Config> {
  try {
    readEnvFile();
    const config = readConfig();
    await requireDataDir(config);
    return config;
  } catch (cause) {
    throw new Error(hiderOfSecrets()((cause as Error).message), { cause });
  }
}
