// PATCH /-/passkeys/{id}: the name by which its owner knows a passkey.
import { ceremonies } from '@colophon/contract';
import { implement, invalid } from '#http';
import { setPasskeyName } from '../queries/index.ts';
import { lineFaults } from '../rules/username.ts';
import { unknownOwnPasskey } from '../service/passkeys.ts';

export const renamePasskey = implement(ceremonies.renamePasskey)(async (
  { tx, caller },
  { params, body },
) => {
  const faults = lineFaults({ name: body.name });
  if (faults.length > 0) throw invalid(faults);
  const row = await setPasskeyName(tx, caller, params.id, body.name);
  if (row === undefined) throw unknownOwnPasskey();
  return { status: 200, body: row };
});
