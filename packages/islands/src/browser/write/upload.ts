// Uploads a picture, with its progress.
import { at, isRefusal, refusal, send } from '../exchange.ts';
import { signInAgain } from '../sign-in-again.ts';

interface MediaRecord {
  readonly id: string;
  readonly status: string;
  readonly url: string | null;
  readonly rejection_reason?: string;
}

/** Runs a request; asks to sign in again where the session has ended. */
async function signedIn<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!isRefusal(error) || error.status !== 401 || !(await signInAgain())) throw error;
    return run();
  }
}

/** Sends the bytes. Only XMLHttpRequest reports how many have arrived. */
function sendBytes(id: string, file: File, progress: (percent: number) => void) {
  return new Promise<MediaRecord>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', at(`/-/v1/media/${id}/content`));
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.responseType = 'json';
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      progress(Math.floor((loaded / total) * 100));
    });
    const lost = 'The connection was lost. Add the image again.';
    request.addEventListener('error', () => reject(refusal(0, { detail: lost })));
    request.addEventListener('load', () => {
      const answer = (request.response ?? {}) as MediaRecord & Parameters<typeof refusal>[1];
      if (request.status < 300) resolve(answer);
      else reject(refusal(request.status, answer));
    });
    request.send(file);
  });
}

/** Uploads a picture and returns its address. @throws Refusal */
export async function upload(
  file: File,
  alt: Promise<string>,
  progress: (percent: number) => void,
): Promise<{ readonly id: string; readonly url: string }> {
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const { id } = await signedIn(() =>
    send<MediaRecord>('POST', '/-/v1/media', { kind: 'image' }, headers),
  );
  const { url, rejection_reason: why } = await signedIn(() => sendBytes(id, file, progress));
  if (url === null) throw refusal(422, { detail: why ?? 'The service did not accept it.' });
  const text = await alt;
  if (text !== '') await signedIn(() => send('PATCH', `/-/v1/media/${id}`, { alt_text: text }));
  return { id, url };
}

/** Deletes a picture that is not wanted after all. If that fails, it stays among the author's files. */
export async function discard(id: string): Promise<void> {
  try {
    await send('DELETE', `/-/v1/media/${id}`);
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
}

const variantMs = 10_000;
const lookMs = 300;

/** Waits until the variant of a width is there: the preview shows it at once. */
export async function variantReady(id: string, width: string): Promise<void> {
  const until = Date.now() + variantMs;
  while (Date.now() < until) {
    try {
      await send('HEAD', `/-/v1/media/${id}/content?w=${width}`);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, lookMs));
    }
  }
}
