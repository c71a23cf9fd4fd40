// The log of this process: JSON lines on standard output, without secrets.
import { hiderOfSecrets } from '#config';
import type { Config } from '#config';
import { pino } from 'pino';
import type { DestinationStream, Logger, LoggerOptions } from 'pino';
import { standardOutput } from './log-output.ts';

/** Names of fields that are never logged, at any depth. */
const secret = [
  'token',
  'authorization',
  'cookie',
  'email',
  'reporter_contact',
  // Fields of PostgreSQL's errors, which quote the row or the value that was refused.
  'detail',
  'where',
  'internalQuery',
  // The driver adds its whole connection to the error of an idle one: the key that cancels its statements, and their texts.
  'client',
].flatMap((name) => [name, `*.${name}`]);

/** Opens the log. With a name, each line has it in the field `process`. */
export function openLog(
  level: string,
  name?: Config['processName'],
  output: DestinationStream = standardOutput,
): Logger {
  const options: LoggerOptions = {
    level,
    base: name === undefined ? null : { process: name },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: secret, censor: '[redacted]' },
    serializers: { error: pino.stdSerializers.err, err: pino.stdSerializers.err },
    // Errors of drivers may quote an address with its password, in any field.
    hooks: { streamWrite: hiderOfSecrets() },
  };
  return pino(options, output);
}
