// The .env file in the working directory.

/**
 * Reads `.env` in the working directory for variables that the environment does not set. A missing file is not an
 * error. A process that a supervisor started has the settings of the supervisor, even if the file has changed.
 * @throws Error with a message for the operator if the file cannot be read
 */
export function readEnvFile(file = '.env'): void {
  // The settings are not read yet.
  // oxlint-disable-next-line node/no-process-env
  if (process.env['COLOPHON_PROCESS'] !== undefined) return;
  try {
    process.loadEnvFile(file);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return;
    throw new Error(
      `${file} cannot be read (${message}): make it a file that this user may read.`,
      {
        cause,
      },
    );
  }
}
