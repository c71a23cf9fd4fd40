// Settings: switches from the command line, addresses and secrets from the environment.
import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { tokenFault } from '@colophon/contract';
import { readProfile } from './profile.ts';
import { containsKey } from './signing-key.ts';
import type { ToolChoice } from './tools/tasks.ts';

export interface Settings {
  readonly baseUrl: string;
  readonly token: string | undefined;
  readonly keyFile: string | undefined;
  readonly uploadFolder: string | undefined;
  readonly choice: ToolChoice;
  /** Over HTTP in place of stdio. */
  readonly http: HttpSettings | undefined;
}

export interface HttpSettings {
  readonly host: string;
  readonly port: number;
  /** Names under which requests may reach this address. */
  readonly hosts: readonly string[];
  /** Host names of pages that may send requests. */
  readonly origins: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings that cannot be used. The message says to the operator what to change. */
export class SettingError extends Error {}

const options = {
  tools: { type: 'string', default: 'tasks' },
  'read-only': { type: 'boolean', default: false },
  http: { type: 'boolean', default: false },
  host: { type: 'string' },
  port: { type: 'string' },
  'allow-host': { type: 'string', multiple: true },
  'allow-origin': { type: 'string', multiple: true },
  help: { type: 'boolean', short: 'h', default: false },
  version: { type: 'boolean', short: 'V', default: false },
} as const;

type Switches = ReturnType<typeof parseArgs<{ readonly options: typeof options }>>['values'];

export const usage = `Usage: colophon-mcp [switches]

Serves the tools of Colophon over stdio, or with --http over streamable HTTP.

  --tools all          one tool for each operation, not only those for whole tasks
  --read-only          only tools that change nothing
  --http               listen for requests in place of stdio; each brings its own token
  --host ADDRESS       default: 127.0.0.1
  --port NUMBER        default: 8090; 0 takes a free one
  --allow-host NAME    a name in the Host header; needed with an address that is not loopback
  --allow-origin NAME  the host name of a page that may send requests
  -h, --help           show help
  -V, --version        print the version

Environment:
  COLOPHON_URL         the service; default: http://localhost:8080
  COLOPHON_TOKEN       the token; without it, only what is public can be read. Not with --http
  COLOPHON_PROFILE     a profile of the command line, in place of the two above. Not with --http
  COLOPHON_KEY_FILE    a file with the secret key that signs publications. Not with --http
  COLOPHON_UPLOAD_DIR  the folder whose files may be uploaded. Not with --http
`;

function nonEmpty(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value.trim();
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function choiceOf({ tools, 'read-only': readOnly }: Switches): ToolChoice {
  if (tools === 'tasks' || tools === 'all') return { tools, readOnly };
  throw new SettingError('--tools is tasks (the default) or all.');
}

const loopback = ['localhost', '127.0.0.1', '[::1]'];
const onlyOverStdio = [
  'COLOPHON_TOKEN',
  'COLOPHON_PROFILE',
  'COLOPHON_KEY_FILE',
  'COLOPHON_UPLOAD_DIR',
];

const onlyOverHttp = ['host', 'port', 'allow-host', 'allow-origin'] as const;

/** Without --http the program waits for standard input, and nothing would listen on the port that was named. */
function refuseHttpSwitches(switches: Switches): undefined {
  const name = onlyOverHttp.find((one) => switches[one] !== undefined);
  if (name === undefined) return undefined;
  throw new SettingError(`--${name} needs --http: without it, the tools are served over stdio.`);
}

function refuseLoans(env: Environment): void {
  const surplus = onlyOverStdio.find((name) => nonEmpty(env[name]) !== undefined);
  if (surplus !== undefined)
    throw new SettingError(
      `Unset ${surplus}: over HTTP every caller sends its own token, and nothing of yours is lent to it.`,
    );
}

function portOf({ port = '8090' }: Switches): number {
  if (/^\d{1,5}$/.test(port) && Number(port) <= 65_535) return Number(port);
  throw new SettingError('--port is a number from 0 to 65535.');
}

function httpOf(switches: Switches, env: Environment): HttpSettings | undefined {
  if (!switches.http) return refuseHttpSwitches(switches);
  const { host = '127.0.0.1' } = switches;
  const port = portOf(switches);
  const { 'allow-host': names = [], 'allow-origin': pages = [] } = switches;
  refuseLoans(env);
  const isLoopback = loopback.includes(host.includes(':') ? `[${host}]` : host);
  if (!isLoopback && names.length === 0)
    throw new SettingError(`With --host ${host}, name the public host name: --allow-host NAME.`);
  const hosts = isLoopback ? [...loopback, ...names] : names;
  return { host, port, hosts, origins: isLoopback ? [...loopback, ...pages] : pages };
}

/** Returns the switches. A token is never one of them: other users of the machine could read it. */
export function readSwitches(args: readonly string[]): Switches {
  try {
    return parseArgs({ args: [...args], options, strict: true }).values;
  } catch (error) {
    throw new SettingError(
      `${error instanceof Error ? error.message : ''}\n\n${usage}`.trimStart(),
    );
  }
}

/** Returns the address of the service; another one is reported under the name of its variable. */
function addressOf(url: string): string {
  const found = URL.canParse(url) ? new URL(url) : undefined;
  const isWeb = found?.protocol === 'http:' || found?.protocol === 'https:';
  const hasVersion = isWeb && /\/v1\/?$/.test(found.pathname);
  if (isWeb && !hasVersion && `${found.username}${found.password}` === '') return url;
  throw new SettingError(
    'COLOPHON_URL is an address with http:// or https://, without a user name and without /v1, such as https://colophon.example.',
  );
}

/** Returns the token; one with other text around it is reported with the place that it is from, without the token. */
function tokenIn(token: string | undefined, place: string): string | undefined {
  const fault = token === undefined ? undefined : tokenFault(token);
  if (fault === undefined) return token;
  throw new SettingError(`${place} ${fault}. Set it to the token alone.`);
}

/** The account of a profile, or the one that the environment spells out; never a mixture of both. */
function accountOf(env: Environment): Pick<Settings, 'baseUrl' | 'token'> {
  const [baseUrl, token, name] = ['COLOPHON_URL', 'COLOPHON_TOKEN', 'COLOPHON_PROFILE'].map(
    (variable) => nonEmpty(env[variable]),
  );
  if (name === undefined)
    return {
      baseUrl: addressOf(baseUrl ?? 'http://localhost:8080'),
      token: tokenIn(token, 'COLOPHON_TOKEN'),
    };
  if (baseUrl !== undefined || token !== undefined)
    throw new SettingError('Set COLOPHON_PROFILE, or COLOPHON_URL and COLOPHON_TOKEN, not both.');
  const profile = readProfile(env, name);
  if (profile !== undefined)
    return {
      baseUrl: profile.url,
      token: tokenIn(profile.token, `The token of the profile "${name}"`),
    };
  throw new SettingError(`There is no profile "${name}". \`colophon profile list\` lists them.`);
}

/** Returns the folder of uploads. A misspelt one is reported at the start, not to a model in the middle of its work. */
function uploadFolderOf(env: Environment): string | undefined {
  const folder = nonEmpty(env['COLOPHON_UPLOAD_DIR']);
  if (folder === undefined || isFolder(folder)) return folder;
  throw new SettingError(
    `COLOPHON_UPLOAD_DIR: there is no folder ${folder}. Create it, or correct the variable.`,
  );
}

/** Returns the file of the key. A wrong one is reported at the start, not when a text is written and cannot be signed. */
function keyFileOf(env: Environment): string | undefined {
  const file = nonEmpty(env['COLOPHON_KEY_FILE']);
  if (file === undefined || containsKey(file)) return file;
  throw new SettingError(
    `COLOPHON_KEY_FILE: ${file} cannot be read, or contains no Ed25519 secret key (32 bytes in base64url). ` +
      'Correct the variable, or unset it to publish without signatures.',
  );
}

/** @throws SettingError */
export function readSettings(args: readonly string[], env: Environment): Settings {
  const switches = readSwitches(args);
  const http = httpOf(switches, env);
  return {
    ...accountOf(env),
    keyFile: keyFileOf(env),
    uploadFolder: uploadFolderOf(env),
    choice: choiceOf(switches),
    http,
  };
}
