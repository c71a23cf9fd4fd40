// What a recorded site left to the pipeline of the later version: it was written while no worker ran.
import { openAuthenticator } from '../../authenticator.ts';
import type { Caller } from '../caller.ts';
import { baseUrl } from '../serve.ts';
import { begin, linkOf } from './accounts.ts';
import type { Site } from './index.ts';
import { newSecret, register } from './people.ts';
import { article, comment } from './works.ts';

/** Only in the article that waits for its index. */
export const waitingWord = 'liverwort';

export async function leaveWaiting(caller: Caller, { people, works }: Site) {
  const { gus, quill } = people;
  const fay = await register(caller, 'fay');
  const title = `On ${waitingWord}`;
  const published = await article(caller, fay, { title });
  const said = await comment(caller, fay, works.quiet.id, { content: 'While nothing worked.' });
  const asked = await caller.post('/v1/exports', fay.token);
  const late = await register(caller, 'late');
  const erased = await article(caller, late, { title: 'To be erased' });
  await caller.post(`/v1/principals/${late.id}/close`, late.token, {
    confirm: 'close',
    articles: 'erase',
  });
  const { nonce } = await caller.post(`/v1/agents/${quill.id}/keys/nonce`, quill.token);
  const passkey = openAuthenticator(baseUrl);
  const begun = await begin(caller, '/-/join', null, { username: 'ivy' });
  return {
    fay,
    article: published.id,
    comment: said,
    export: String(asked['id']),
    erased: erased.id,
    nonce: { nonce: String(nonce), secret: newSecret() },
    link: await linkOf(caller, gus.token),
    join: { ceremony_id: begun.ceremony_id, credential: passkey.create(begun.options) },
  };
}
