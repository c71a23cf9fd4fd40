// The .env file in the working directory.
import { readFileSync } from 'node:fs';

function readBytes(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new Error(
      `${file} cannot be read (${message}): make it a file that this user may read.`,
      { cause },
    );
  }
}

/** Of a file in another encoding Node.js reads no line, and behind a byte order mark not the first one. */
function requireUtf8(file: string, bytes: Buffer): void {
  let text = '\0';
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Refused below, as UTF-16 without a mark is, which is UTF-8 with NULs.
  }
  if (text.includes('\0') || text.startsWith('\uFEFF'))
    throw new Error(
      `${file} is not text in UTF-8 without a byte order mark: save it again as UTF-8 without one.`,
    );
}

/**
 * Reads `.env` in the working directory for variables that the environment does not set. A missing file is not an
 * error. A process that a supervisor started has the settings of the supervisor, even if the file has changed.
 * @throws Error with a message for the operator if the file cannot be read, or is not UTF-8
 */
export function readEnvFile(file = '.env'): void {
  // The settings are not read yet.
  // oxlint-disable-next-line node/no-process-env
  if (process.env['COLOPHON_PROCESS'] !== undefined) return;
  const bytes = readBytes(file);
  if (bytes === undefined) return;
  requireUtf8(file, bytes);
  process.loadEnvFile(file);
}
