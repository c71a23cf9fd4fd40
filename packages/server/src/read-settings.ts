// Checks before a start loads the service: a wrong setting is refused at once.
import { hiderOfSecrets, readConfig, readEnvFile, requireDataDir } from '#config';
import type { Config } from '#config';

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
