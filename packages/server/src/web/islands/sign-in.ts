// The page /sign-in: a passkey from the autofill of the browser or by the button, or a recovery code.
import { at, element, endAutofill, onSubmit, ready, send, usePasskey } from './exchange.ts';

const account = at('/account');

onSubmit(element<HTMLFormElement>('#passkey'), async () => {
  endAutofill();
  await usePasskey('/-/sign-in');
  location.assign(account);
});

onSubmit(element<HTMLFormElement>('#recover'), async (data) => {
  endAutofill();
  const username = element<HTMLInputElement>('#username').value;
  await send('POST', '/-/recover', { username, code: data.get('code') });
  location.assign(account);
});

ready();

/** Offers passkeys in the field of the name, where the browser can (conditional mediation). */
async function offerAutofill(): Promise<void> {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
  await usePasskey('/-/sign-in', true);
  location.assign(account);
}

// Ends with an error when another ceremony takes its place, which is as it should be.
if ('PublicKeyCredential' in window) offerAutofill().catch(() => undefined);
