// The page /join: the name is checked while it is typed, then a passkey makes the account.
import { createPasskey, element, isRefusal, onSubmit, ready, send } from './exchange.ts';
import { showCodes } from './codes.ts';

interface Joined {
  readonly username: string;
  readonly recovery_codes: readonly string[];
}

const form = element<HTMLFormElement>('#join');
const username = element<HTMLInputElement>('#username');
const fault = element('#username-fault');
const typingMs = 400;
let timer = 0;

/** Shows what is wrong with the name, or that it is free. */
function showName(words: string, isFree: boolean): void {
  fault.textContent = words;
  fault.classList.toggle('free', isFree);
}

/** Asks whether the name can be had. If the service does not answer, joining says so. */
async function checkName(): Promise<void> {
  const name = username.value;
  if (name.length < 3) return;
  let words = '';
  let isFree = false;
  try {
    const path = `/-/join/username?username=${encodeURIComponent(name)}`;
    const spelled = (await send<{ readonly username: string }>('GET', path)).username;
    [words, isFree] = [`@${spelled} is free.`, true];
  } catch (error) {
    if (isRefusal(error) && [409, 422].includes(error.status)) words = error.message;
  }
  if (username.value === name) showName(words, isFree);
}

username.addEventListener('input', () => {
  showName('', false);
  clearTimeout(timer);
  timer = setTimeout(() => void checkName(), typingMs);
});

/** The page is about the codes now: the person has joined, and does not need to sign in. */
function showJoined(name: string): void {
  form.hidden = true;
  element('.intro h1').textContent = `You have joined as @${name}`;
  element('.intro p').remove();
}

/** Replaces the header by that of a signed-in reader. The codes matter more: without an answer it stays. */
async function showHeader(): Promise<void> {
  try {
    const response = await fetch(location.href, { headers: { accept: 'text/html' } });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const header = page.querySelector('#top');
    if (response.ok && header !== null) element('#top').replaceWith(document.adoptNode(header));
  } catch {
    // The next page has it.
  }
}

/** The conflict of a name names no member, because an account has no other: it is said where the name is. */
function ofTheName(error: unknown): unknown {
  return isRefusal(error) && error.status === 409
    ? Object.assign(error, { field: username.name })
    : error;
}

onSubmit(form, async (data) => {
  // An answer about the name that arrives from now on would only repeat the one to the form.
  clearTimeout(timer);
  showName('', false);
  const name = data.get('display_name');
  const input = {
    username: data.get('username'),
    display_name: name === '' ? null : name,
  };
  const joined = await createPasskey<Joined>('/-/join', input).catch((error: unknown) => {
    throw ofTheName(error);
  });
  showJoined(joined.username);
  showCodes(joined.recovery_codes);
  await showHeader();
});

ready();
