// What the islands share: requests to ceremonies, and telling people how they went.
import {
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser';
import { sentenceOf } from '@colophon/text/lib/sentence';

/** A refusal, in the words that people read. */
export interface Refusal extends Error {
  /** Of HTTP; 0 when there was no answer. */
  readonly status: number;
  /** The field that it is about, if it is about one. */
  readonly field: string | undefined;
  /** The name of the problem; '' when there was no answer. */
  readonly type: string;
  readonly retryAfterSeconds: number | undefined;
  /** Whether a passkey check lets the same request pass. */
  readonly needsCheck: boolean;
  /** The key to send the form with next time, if its own is spent. */
  readonly key: string | undefined;
}

/** Makes a refusal from the status and the problem of an answer. */
export function refusal(status: number, problem: Problem): Refusal {
  const [fault] = problem.errors ?? [];
  const words = fault?.detail ?? problem.detail ?? 'The service did not answer. Try again.';
  return Object.assign(new Error(words), {
    status,
    field: fault?.pointer.slice(1),
    type: problem.type?.split('/').at(-1) ?? '',
    retryAfterSeconds: problem.retry_after_seconds,
    needsCheck: problem.passkey_check === true,
    key: problem.key,
  });
}

export function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && 'needsCheck' in error;
}

interface Problem {
  readonly type?: string;
  readonly detail?: string;
  readonly retry_after_seconds?: number;
  readonly passkey_check?: boolean;
  readonly key?: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}

/** The path of the service below its host, from the markup. */
const base = document.documentElement.dataset['base'] ?? '';

export function at(path: string): string {
  return `${base}${path}`;
}

/** Sends a request and returns its answer with the text. An answer that is cut off is none. @throws Refusal */
async function answerTo(url: string, sent: RequestInit) {
  try {
    const response = await fetch(url, sent);
    return { response, text: await response.text() };
  } catch {
    throw refusal(0, { detail: 'The service cannot be reached. Try again in a moment.' });
  }
}

/** Returns what a text in JSON says; undefined for any other text, such as the page of a proxy. */
function jsonOf(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Sends a request and returns the JSON of its answer. @throws Refusal */
export async function request<T>(url: string, sent: RequestInit): Promise<T> {
  const { response, text } = await answerTo(url, sent);
  const answer = jsonOf(text);
  if (!response.ok) throw refusal(response.status, answer ?? {});
  // The service answers in JSON: who has sent this instead has not said whether the request was carried out.
  if (answer === undefined) throw refusal(0, {});
  return answer as T;
}

/**
 * The account of the page: another one may have signed in in another tab. Signing in itself works from any page.
 */
function readerHeader(path: string): Readonly<Record<string, string>> {
  const { reader } = document.documentElement.dataset;
  return reader === undefined || path.startsWith('/-/sign-in') ? {} : { 'colophon-reader': reader };
}

/** Sends JSON to a path of the service, with other headers if there are any. @throws Refusal */
export function send<T>(
  method: string,
  path: string,
  body?: unknown,
  more: Readonly<Record<string, string>> = {},
): Promise<T> {
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    ...readerHeader(path),
    ...more,
  };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return request(at(path), { method, headers, ...sent });
}

/** The address to show after a form was sent, and its page where only this answer has it. */
export interface AfterForm {
  readonly location: string;
  readonly page?: string;
}

/** The fields of a form of a page, which has no files. */
export function fieldsOf(data: FormData): string[][] {
  return Array.from(data, ([name, value]) => [name, typeof value === 'string' ? value : '']);
}

/** Sends a form of a page. @throws Refusal */
export function sendForm(action: string, data: FormData): Promise<AfterForm> {
  return request<AfterForm>(action, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams(fieldsOf(data)),
  });
}

interface Begun {
  readonly ceremony_id: string;
  readonly options: never;
}

/** Makes a passkey for the ceremony at a path, and sends it with other members. */
export async function createPasskey<T>(path: string, begin: object, more: object = {}): Promise<T> {
  const { ceremony_id, options } = await send<Begun>('POST', `${path}/begin`, begin);
  const credential = await startRegistration({ optionsJSON: options });
  return send<T>('POST', path, { ceremony_id, credential, ...more });
}

interface Answer {
  readonly ceremony_id: string;
  readonly credential: object;
}

/** Asks for a passkey, with a new challenge; with `autofill`, the person picks it in a field. */
export async function askPasskey(path: string, autofill = false): Promise<Answer> {
  const { ceremony_id, options } = await send<Begun>('POST', `${path}/begin`);
  const credential = await startAuthentication({
    optionsJSON: options,
    useBrowserAutofill: autofill,
  });
  return { ceremony_id, credential };
}

/**
 * Uses a passkey for the ceremony at a path. If its challenge expired while the person was away, asks once more
 * with a new one.
 */
export async function usePasskey<T>(path: string, given?: Answer): Promise<T> {
  try {
    return await send<T>('POST', path, given ?? (await askPasskey(path)));
  } catch (error) {
    if (!isRefusal(error) || error.field !== 'ceremony_id') throw error;
    return send<T>('POST', path, await askPasskey(path));
  }
}

/** Ends an autofill that waits, so that it does not stand in the way of another ceremony. */
export function endAutofill(): void {
  WebAuthnAbortService.cancelCeremony();
}

/** Says on the page what the passkey confirms: the dialog of the browser names only the site. */
function sayConfirming(what: string): HTMLElement {
  const said = document.createElement('p');
  said.className = 'confirming';
  said.role = 'status';
  said.textContent = `Confirm with your passkey: ${what}`;
  document.body.append(said);
  return said;
}

/** Runs a request; confirms with a passkey first where the service asks for it. `what` names what is confirmed. */
export async function withPasskeyCheck<T>(what: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!isRefusal(error) || !error.needsCheck) throw error;
    const said = sayConfirming(what);
    try {
      await usePasskey('/-/check');
    } finally {
      said.remove();
    }
    return run();
  }
}

export function element<E extends HTMLElement>(selector: string): E {
  const found = document.querySelector<E>(selector);
  if (found === null) throw new Error(`${selector} is missing in the page.`);
  return found;
}

function wordsOf(error: unknown): string {
  if (isRefusal(error)) return error.message;
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError') return 'The passkey was not used. Try again when you are ready.';
  if (name === 'InvalidStateError') return 'This device has a passkey of this account already.';
  return 'This browser could not use a passkey. Try another browser or device.';
}

/** Where a person can try again: the button that was pressed keeps the focus, so that Enter does not press another. */
function buttonOf(form: HTMLElement): HTMLElement | null {
  const focused = document.activeElement;
  const isOwn =
    focused instanceof HTMLButtonElement && (focused.form === form || form.contains(focused));
  return isOwn ? focused : form.querySelector<HTMLElement>('button');
}

/** Shows a fault beside its field, which gets the focus, or below the form. */
function showFault(form: HTMLElement, error: unknown): void {
  const field = isRefusal(error) && error.field !== undefined ? error.field : '';
  const input = form.querySelector<HTMLInputElement>(`[name="${CSS.escape(field)}"]`);
  const place = input === null ? null : form.querySelector(`#${input.name}-fault`);
  const shown = place ?? form.querySelector('[role="alert"]');
  const words = wordsOf(error);
  if (shown !== null) shown.textContent = input === null ? words : sentenceOf(words);
  input?.setAttribute('aria-invalid', 'true');
  lookAt(input ?? buttonOf(form), shown);
}

/** The focus alone brings only its own element into view, and most faults stand below it. */
function lookAt(focused: HTMLElement | null, shown: Element | null): void {
  focused?.focus();
  shown?.scrollIntoView({ block: 'nearest' });
}

function clearFaults(form: HTMLElement): void {
  for (const one of form.querySelectorAll('[role="alert"], .fault')) one.textContent = '';
  for (const one of form.querySelectorAll('[aria-invalid]')) one.removeAttribute('aria-invalid');
}

/** Runs `work` while the form is busy, and shows what went wrong. A second press meanwhile does nothing. */
export async function attempt(form: HTMLElement, work: () => Promise<void>): Promise<void> {
  if (form.ariaBusy === 'true') return;
  form.ariaBusy = 'true';
  clearFaults(form);
  try {
    await work();
  } catch (error) {
    showFault(form, error);
  } finally {
    form.ariaBusy = 'false';
  }
}

/** Runs `work` when the form is sent, in place of sending it. */
export function onSubmit(form: HTMLFormElement, work: (data: FormData) => Promise<void>): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void attempt(form, () => work(new FormData(form)));
  });
}

/** Enables the buttons, which are served disabled: before this script listens, a press would be lost. */
export function ready(): void {
  for (const button of document.querySelectorAll('button')) button.disabled = false;
}
