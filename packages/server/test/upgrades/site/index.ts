// A recorded site with something in every table: made by the server of today, continued by later ones.
import type { Caller } from '../caller.ts';
import { closeAccounts, joinWithPasskey, openLink } from './accounts.ts';
import { moderate } from './desk.ts';
import { addPeople, addTokens } from './people.ts';
import { addArticles, addComments, addEdges, addFiles } from './works.ts';

/** Makes everything that the pipeline has done before the site is read. */
export async function makeSite(caller: Caller, grant: Parameters<typeof addPeople>[1]) {
  const people = await addPeople(caller, grant);
  const tokens = await addTokens(caller, people);
  const files = await addFiles(caller, people);
  const { works, keys } = await addArticles(caller, people, files);
  const comments = await addComments(caller, people, works);
  const edges = await addEdges(caller, people, works, comments.first);
  const desk = await moderate(caller, people, { works, comments, files });
  const closed = await closeAccounts(caller, works);
  const { passkey, ...eve } = await joinWithPasskey(caller, 'eve');
  const linked = await openLink(caller, people);
  return {
    people,
    tokens,
    files,
    works,
    keys,
    comments,
    edges,
    desk,
    closed,
    linked,
    eve: { ...eve, passkey: passkey.toDevTools() },
  };
}

export type Site = Awaited<ReturnType<typeof makeSite>>;
