// The baseline for reading: Fastify, one prepared statement on the server's own pool, its serialiser.
import Fastify from 'fastify';
import { shownArticle } from '../../packages/server/src/areas/articles/queries/index.ts';
import { readArticle } from '../../packages/server/src/areas/articles/operations/read-article.ts';
import { articleView } from '../../packages/server/src/areas/articles/views/articles.ts';
import { readConfig } from '../../packages/server/src/config/index.ts';
import { compileOperation } from '../../packages/server/src/http/index.ts';
import { bucketOf } from '../../packages/server/src/lib/id.ts';
import { openLog, openServices } from '../../packages/server/src/services.ts';

const config = readConfig();
const services = await openServices(config, openLog('warn'));
const serialize = compileOperation(readArticle).serialize.get(200);
if (serialize === undefined) throw new Error('readArticle has no answer 200.');

const app = Fastify();
app.get('/ready', async () => ({ status: 'ready' }));
app.get('/v1/articles/:id', async (request, reply) => {
  const { id } = request.params as { id: string };
  const row = await services.db.first(shownArticle.one({ bucket: bucketOf(id), id }));
  if (row === undefined) return reply.code(404).send();
  return reply
    .header('content-type', 'application/json')
    .send(serialize(articleView(row, config, null)));
});
process.once('SIGTERM', () => {
  void app.close().then(() => services[Symbol.asyncDispose]());
});
await app.listen({ host: config.host, port: config.port, backlog: 1024 });
