// GET /v1/principals/{id}/followers over HTTP: the followers of a principal.
import { after } from 'node:test';
import { testFollowList } from '#test/follow-lists';
import { startServer } from '#test/harness';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());

testFollowList(server, 'followers');
