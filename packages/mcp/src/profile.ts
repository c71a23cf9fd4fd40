// A profile of the command line: the account of the operator, in a private file below the folder of settings.
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';

export interface Profile {
  readonly url: string;
  readonly token: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** As the command line finds it: an empty or relative variable names no folder. */
function fileOf(env: Environment, name: string): string {
  const [named, ...homes] = ['XDG_CONFIG_HOME', 'HOME', 'USERPROFILE'].map((variable) => {
    const folder = env[variable];
    return folder !== undefined && isAbsolute(folder) ? folder : undefined;
  });
  const home = () => homes.find((one) => one !== undefined) ?? userInfo().homedir;
  return join(named ?? join(home(), '.config'), 'colophon', 'profiles', `${name}.json`);
}

/** Returns a profile; undefined if there is none of this name. */
export function readProfile(env: Environment, name: string): Profile | undefined {
  if (!/^[a-z0-9][a-z0-9._-]{0,63}$/i.test(name)) return undefined;
  try {
    const profile = JSON.parse(readFileSync(fileOf(env, name), 'utf8')) as Partial<Profile>;
    const { url, token } = profile;
    return typeof url === 'string' && typeof token === 'string' ? { url, token } : undefined;
  } catch {
    // An error of parsing would print a part of the file, which contains the token.
    return undefined;
  }
}
