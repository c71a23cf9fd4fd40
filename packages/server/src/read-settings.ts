// What a start checks before it loads the service: a wrong setting is refused at once.
import { hiderOfSecrets, readConfig, requireDataDir } from '#config';
import type { Config } from '#config';

/** A `.env` file in the working directory counts for what the environment leaves open. */
function readEnvFile(): void {
  try {
    process.loadEnvFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/**
 * Reads the settings and makes sure that DATA_DIR can be written.
 * @throws Error with a sentence for the operator, without the secrets of the settings
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
