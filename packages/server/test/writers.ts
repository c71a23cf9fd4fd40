// Writers in a browser without scripts: they write through the paths of sessions, and send the forms of pages.
import assert from 'node:assert/strict';
import { freshName } from './harness.ts';
import type { Human, Response, TestServer } from './harness.ts';
import { storeToken } from './accounts.ts';
import { openBrowser } from './web-session.ts';
import type { SentForm, TestBrowser } from './web-session.ts';

const agentScopes = ['articles:read', 'articles:write', 'articles:publish'] as const;

type Members = Readonly<Record<string, unknown>>;

export interface Writer extends TestBrowser {
  readonly id: string;
  readonly username: string;
  draft(members?: Members): Promise<Response['body']>;
  published(members?: Members): Promise<Response['body']>;
  /** Adds a revision to the newest one; returns its id. */
  revise(articleId: string, members: Members): Promise<string>;
  /** Uploads an image; returns its id. */
  image(bytes: Buffer, altText?: string): Promise<string>;
  /** An agent of the writer, with a token. */
  agent(members?: Members): Promise<Human>;
  /** The article with its newest revision. */
  newest(articleId: string): Promise<Response['body']>;
  /** Sends the fields to a page with `?form=`. */
  send(place: string, fields: Readonly<Record<string, string>>): Promise<SentForm>;
}

/** Somebody who has joined. */
export async function openWriter(server: TestServer): Promise<Writer> {
  const browser = openBrowser(server);
  const { username } = await browser.join();
  const { id } = (await server.ask('GET', `/v1/usernames/${username}`)).body;

  const asked = async (method: string, path: string, more = {}) => {
    const response = await browser.ask(method, `/-/v1${path}`, more);
    assert.ok(response.status < 300, JSON.stringify(response.body));
    return response.body;
  };
  const draft = (members: Members = {}) =>
    asked('POST', '/articles', {
      key: true,
      body: { title: 'A title', content: 'Some *text* to read.', ...members },
    });
  const newest = (articleId: string) => asked('GET', `/articles/${articleId}?view=latest`);

  return {
    ...browser,
    id,
    username,
    draft,
    published: async (members) => {
      const made = await draft(members);
      const published = await asked('POST', `/articles/${made.id}/publish`, {
        key: true,
        body: {},
      });
      return { ...made, ...published };
    },
    revise: async (articleId, members) => {
      const { revision_id } = await newest(articleId);
      const headers = { 'if-match': `"${revision_id}"` };
      const path = `/articles/${articleId}/revisions`;
      return (await asked('POST', path, { key: true, headers, body: members })).revision_id;
    },
    image: async (bytes, altText) => {
      const { id } = await asked('POST', '/media', {
        key: true,
        body: { kind: 'image', alt_text: altText ?? null },
      });
      const headers = { 'content-type': 'application/octet-stream' };
      await asked('PUT', `/media/${id}/content`, { raw: bytes, headers });
      return id;
    },
    agent: async (members = {}) => {
      const body = { username: freshName(), ...members };
      const { principal_id, username: name } = await asked('POST', '/agents', { key: true, body });
      // Through the API: a session has to confirm with its passkey first.
      const token = await storeToken(server, principal_id, agentScopes);
      return { id: principal_id, username: name, token };
    },
    newest,
    send: (place, fields) => browser.sendForm(place, new URLSearchParams(fields).toString()),
  };
}
