// Checks before a start loads the service: a wrong setting is refused at once.
import { hiderOfSecrets, readConfig, readEnvFile, requireDataDir } from '#config';
import type { Config } from '#config';

const tracing = [
  '@opentelemetry/api',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace',
];

/** Traces are the one part whose packages are not installed with the others. */
function requirePackages({ traces }: Config): void {
  if (traces === undefined) return;
  try {
    for (const name of tracing) import.meta.resolve(name);
  } catch (cause) {
    throw new Error(
      'OTEL_EXPORTER_OTLP_ENDPOINT is set, and the packages for traces are not installed: run npm run add-traces, or unset it.',
      { cause },
    );
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
    requirePackages(config);
    await requireDataDir(config);
    return config;
  } catch (cause) {
    throw new Error(hiderOfSecrets()((cause as Error).message), { cause });
  }
}
