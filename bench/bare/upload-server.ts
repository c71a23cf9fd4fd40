// The baseline for media: writes each upload to a file while hashing it, and serves one file.
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const folder = process.env['FOLDER'] ?? '.';
const served = process.env['SERVED'];

createServer((request, response) => {
  if (request.method === 'GET' && request.url === '/') {
    response.end('ready');
    return;
  }
  if (request.method === 'GET' && served !== undefined) {
    response.writeHead(200, { 'content-length': statSync(served).size });
    createReadStream(served).pipe(response);
    return;
  }
  const hash = createHash('sha256');
  const hashed = new PassThrough();
  hashed.on('data', (chunk: Buffer) => hash.update(chunk));
  const file = createWriteStream(join(folder, randomUUID()), { flush: true });
  void pipeline(request, hashed, file).then(() => response.end(hash.digest('hex')));
}).listen(Number(process.env['PORT']), '127.0.0.1');
