// The page /join: the name is checked while it is typed, then a passkey makes the account.
import { createPasskey, element, isRefusal, onSubmit, ready, send, showCodes } from './exchange.ts';

interface Joined {
  readonly username: string;
  readonly recovery_codes: readonly string[];
}

const form = element<HTMLFormElement>('#join');
const username = element<HTMLInputElement>('#username');
const fault = element('#username-fault');
const typingMs = 400;
let timer = 0;

/** Asks whether the name is free. A free name answers 404. */
async function checkName(): Promise<void> {
  const name = username.value;
  if (name.length < 3) return;
  try {
    await send('GET', `/v1/usernames/${encodeURIComponent(name)}`);
    if (username.value === name) fault.textContent = 'This username is taken. Choose another.';
  } catch (error) {
    const isFree = isRefusal(error) && error.status === 404;
    if (username.value === name) fault.textContent = isFree ? '' : fault.textContent;
  }
}

username.addEventListener('input', () => {
  fault.textContent = '';
  clearTimeout(timer);
  timer = setTimeout(() => void checkName(), typingMs);
});

onSubmit(form, async (data) => {
  const name = data.get('display_name');
  const wish = {
    username: data.get('username'),
    display_name: name === '' ? null : name,
  };
  const joined = await createPasskey<Joined>('/-/join', wish);
  form.hidden = true;
  showCodes(joined.recovery_codes);
});

ready();
