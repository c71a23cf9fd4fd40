// Settings: switches from the command line, secrets and addresses from the environment.
import { parseArgs } from 'node:util';
import type { ToolChoice } from './tools/tasks.ts';

export interface Settings {
  readonly baseUrl: string;
  readonly token: string | undefined;
  readonly keyFile: string | undefined;
  readonly uploadFolder: string | undefined;
  readonly choice: ToolChoice;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Thrown for settings that cannot be used. The message is for the operator. */
export class SettingError extends Error {}

const options = {
  tools: { type: 'string', default: 'tasks' },
  'read-only': { type: 'boolean', default: false },
} as const;

function named(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value.trim();
}

function toolsOf(value: string): ToolChoice['tools'] {
  if (value === 'tasks' || value === 'all') return value;
  throw new SettingError('--tools is tasks (the default) or all.');
}

/** Reads the settings. A token is never an argument: other users of the machine could read it. */
export function readSettings(args: readonly string[], env: Environment): Settings {
  const { values } = parseArgs({ args: [...args], options, strict: true });
  return {
    baseUrl: named(env['COLOPHON_URL']) ?? 'http://localhost:8080',
    token: named(env['COLOPHON_TOKEN']),
    keyFile: named(env['COLOPHON_KEY_FILE']),
    uploadFolder: named(env['COLOPHON_UPLOAD_DIR']),
    choice: { tools: toolsOf(values.tools), readOnly: values['read-only'] },
  };
}
