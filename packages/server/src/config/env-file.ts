// The .env file in the working directory.

/**
 * Reads `.env` in the working directory for variables that the environment does not set. A missing file is no
 * error.
 * @throws Error with a message for the operator if the file cannot be read
 */
export function readEnvFile(file = '.env'): void {
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
