// Names of accounts to come, for people who join by the API or in the browser.
import type { Config } from '#config';
import { invalid, problem } from '#http';
import type { Problem } from '#http';
import { lineFaults } from '../rules/identity.ts';
import { isReservedUsername } from '../rules/reserved-usernames.ts';
import { nameOf } from '../rules/username.ts';
import type { Name } from '../rules/username.ts';

export function takenName(): Problem {
  return problem(
    'conflict',
    'This username is taken, reserved, or too similar to a taken or reserved username. Choose another.',
  );
}

/**
 * Returns the canonical form of a name that may be registered here, whether or not it is free.
 * @throws forbidden, validation-failed, conflict
 */
export function requireFreeName(
  { registration }: Pick<Config, 'registration'>,
  body: { readonly username: string; readonly display_name?: string | null },
): Extract<Name, { ok: true }> {
  if (registration === 'closed') {
    throw problem(
      'forbidden',
      'Registration is closed on this service. Ask its operator for an account.',
    );
  }
  const name = nameOf(body.username);
  const faults = lineFaults({ display_name: body.display_name });
  if (!name.ok)
    throw invalid([{ pointer: '/username', code: 'username', detail: name.detail }, ...faults]);
  if (faults.length > 0) throw invalid(faults);
  if (isReservedUsername(name.username)) throw takenName();
  return name;
}
