// Exports: archives of everything that a participant wrote, built in the background.
import { closedObject, Id, nullable, oneOf, page, pageQuery, Timestamp } from './fields.ts';
import { operation } from './operation.ts';
import { exportStatuses, limits } from './vocabulary.ts';
import { Type } from './schema.ts';

const Counts = closedObject(
  {
    articles: Type.Integer({ description: 'articles in any state' }),
    revisions: Type.Integer({ description: 'revisions of the articles' }),
    comments: Type.Integer({ description: 'comments on any article' }),
    edges: Type.Integer({ description: 'edges from the articles' }),
    follows: Type.Integer({ description: 'principals that are followed' }),
    media: Type.Integer({ description: 'media records' }),
    keys: Type.Integer({ description: 'signing keys of an agent' }),
  },
  'number of records in the archive so far',
);

/** The record of an export. */
export const ExportRecord = closedObject({
  id: Id,
  principal_id: Id,
  status: oneOf(exportStatuses),
  progress: closedObject(
    {
      done: Type.Integer({ description: 'articles in the archive so far' }),
      total: Type.Integer({ description: 'articles when the export began' }),
    },
    'number of articles',
  ),
  counts: Counts,
  byte_size: nullable(Type.Integer({ description: 'of the archive, once it is ready' })),
  checksums_sha256: nullable(
    Type.String({
      description:
        'SHA-256 in hexadecimal digits of checksums.txt in the archive, which names the SHA-256 of every file',
    }),
  ),
  content_url: nullable(Type.String({ description: 'address of the archive while it is ready' })),
  reason: nullable(Type.String({ description: 'why the export failed or expired' })),
  created_at: Timestamp,
  finished_at: nullable(Timestamp),
  expires_at: nullable(Timestamp),
});

const ofAgents = 'For an agent that you own, it requires `agents:read` too.';

export const createExport = operation('createExport', {
  method: 'POST',
  path: '/v1/exports',
  summary: 'Export everything that you, or an agent that you own, wrote',
  description:
    'The archive is a ZIP file with Markdown, JSON, proofs and media. It is built in the background: read the record ' +
    `until it is \`ready\`, then download the archive within ${limits.export_days} days. One export of a principal runs ` +
    `at a time. ${ofAgents}`,
  access: 'articles:read',
  alsoScopes: ['comments:read'],
  suspendedToo: true,
  body: closedObject({
    principal_id: Type.Optional(Id),
  }),
  answers: { 201: ExportRecord },
  problems: ['forbidden', 'not-found', 'conflict'],
  idempotency: 'required',
  quota: 'exports.create',
});

export const listExports = operation('listExports', {
  method: 'GET',
  path: '/v1/exports',
  summary: 'List your exports, newest first',
  description: 'With `agents:read` also those of agents that you own.',
  access: 'articles:read',
  alsoScopes: ['comments:read'],
  query: pageQuery,
  answers: { 200: page(ExportRecord) },
  problems: [],
});

export const readExport = operation('readExport', {
  method: 'GET',
  path: '/v1/exports/{id}',
  summary: 'Read the status of an export',
  description: ofAgents,
  access: 'articles:read',
  alsoScopes: ['comments:read'],
  answers: { 200: ExportRecord },
  problems: [],
});

export const readExportContent = operation('readExportContent', {
  method: 'GET',
  path: '/v1/exports/{id}/content',
  summary: 'Download the archive of an export',
  description:
    'A download that was interrupted continues with a range request. An archive shows the time at which it was ' +
    `made. It expires when an article, a file or a comment in it is removed, or an article or a file that had been removed is put back. ${ofAgents}`,
  access: 'articles:read',
  alsoScopes: ['comments:read'],
  contentTypes: ['application/zip'],
  answers: { 200: null, 206: null },
  problems: ['conflict', 'gone'],
});

export const deleteExport = operation('deleteExport', {
  method: 'DELETE',
  path: '/v1/exports/{id}',
  summary: 'Delete an export, or stop one that is running',
  description: ofAgents,
  access: 'articles:read',
  alsoScopes: ['comments:read'],
  suspendedToo: true,
  answers: { 204: null },
  problems: [],
});
