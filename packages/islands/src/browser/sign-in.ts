// The page /sign-in: a passkey from the autofill of the browser or by the button, or a recovery code.
import {
  askPasskey,
  at,
  attempt,
  element,
  endAutofill,
  isRefusal,
  onSubmit,
  ready,
  send,
  usePasskey,
} from './exchange.ts';

const form = element<HTMLFormElement>('#passkey');
const recovery = element<HTMLFormElement>('#recover');
const { minutes = '' } = form.dataset;

/** Well before the challenge expires. */
const renewMs = Number(minutes) * 60_000 * 0.9;
let timer = 0;
let begunAt = 0;

/**
 * Offers passkeys in the field of the name, where the browser can (conditional mediation), each time with a new
 * challenge. An offer ends the one before it.
 */
function offerAutofill(): void {
  clearTimeout(timer);
  timer = setTimeout(offerAutofill, renewMs);
  begunAt = Date.now();
  askPasskey('/-/sign-in', true).then(
    (answer) => attempt(form, () => signIn(form, () => usePasskey('/-/sign-in', answer))),
    // Another ceremony has taken its place, or the service cannot be reached: the button says so.
    () => undefined,
  );
}

const isOffered =
  'PublicKeyCredential' in window &&
  (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true;

/** Timers stand still while a page is in the background or the device sleeps. */
function renewIfOld(): void {
  if (document.visibilityState === 'visible' && Date.now() - begunAt >= renewMs) offerAutofill();
}

async function signIn({ dataset }: HTMLElement, run: () => Promise<unknown>): Promise<void> {
  clearTimeout(timer);
  await run();
  location.assign(at(dataset['next'] ?? ''));
}

onSubmit(form, async () => {
  endAutofill();
  try {
    await signIn(form, () => usePasskey('/-/sign-in'));
  } catch (error) {
    // The person closed the dialog of the browser and may pick a passkey in the field.
    if (isOffered && !isRefusal(error)) offerAutofill();
    throw error;
  }
});

onSubmit(recovery, (data) => {
  const username = element<HTMLInputElement>('#username').value;
  return signIn(recovery, () => send('POST', '/-/recover', { username, code: data.get('code') }));
});

ready();

if (isOffered) {
  offerAutofill();
  document.addEventListener('visibilitychange', renewIfOld);
}
