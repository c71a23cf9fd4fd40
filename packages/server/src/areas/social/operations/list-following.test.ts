// GET /v1/principals/{id}/following over HTTP: the principals that a principal follows.
import { after } from 'node:test';
import { testFollowList } from '#test/follow-lists';
import { startServer } from '#test/harness';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

testFollowList(server, 'following');
