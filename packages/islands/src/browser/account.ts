// The page /settings/security: passkeys, recovery codes and sessions.
import {
  at,
  attempt,
  withPasskeyCheck,
  createPasskey,
  element,
  onSubmit,
  ready,
  send,
} from './exchange.ts';
import { showCodes } from './codes.ts';
import { forgetAllHalfWritten } from './half-written.ts';

/** What contains a button and the place of its fault: without that, a failure would be silent. */
const partOf = (button: HTMLElement) => button.closest<HTMLElement>('div') ?? button;

/** Runs a request when a button is pressed, and shows the page as it is afterwards. */
function onPress(selector: string, work: (id: string, name: string) => Promise<unknown>): void {
  for (const button of document.querySelectorAll<HTMLElement>(selector)) {
    const row = button.closest<HTMLElement>('[data-row]') ?? element('main');
    button.addEventListener('click', () => {
      void attempt(row, async () => {
        await work(button.dataset['id'] ?? '', button.dataset['name'] ?? '');
        location.reload();
      });
    });
  }
}

onPress('.add-passkey', () =>
  withPasskeyCheck('add another passkey to your account', () => createPasskey('/-/passkeys', {})),
);
onPress('.remove-passkey', (id, name) =>
  withPasskeyCheck(`remove the passkey “${name}”`, () => send('DELETE', `/-/passkeys/${id}`)),
);
onPress('.end-session', (id) => send('DELETE', `/-/sessions/${id}`));

for (const form of document.querySelectorAll<HTMLFormElement>('.rename-passkey')) {
  onSubmit(form, async (data) => {
    await send('PATCH', `/-/passkeys/${form.dataset['id']}`, { name: data.get('name') });
    location.reload();
  });
}

for (const [selector, method, path] of [
  ['.sign-out', 'POST', '/-/sign-out'],
  ['.sign-out-everywhere', 'DELETE', '/-/sessions'],
] as const) {
  const button = element(selector);
  button.addEventListener('click', () => {
    void attempt(partOf(button), async () => {
      await send(method, path);
      forgetAllHalfWritten();
      location.assign(at('/'));
    });
  });
}

const renew = element('.renew-codes');
renew.addEventListener('click', () => {
  void attempt(partOf(renew), async () => {
    const { recovery_codes } = await withPasskeyCheck(
      'replace your recovery codes by new ones',
      () => send<{ readonly recovery_codes: readonly string[] }>('POST', '/-/recovery-codes'),
    );
    showCodes(recovery_codes);
  });
});

ready();
