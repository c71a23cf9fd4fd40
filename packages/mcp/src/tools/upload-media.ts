// upload_media: reserves a record and uploads the bytes, from base64 or from a file below the allowed folder.
import { readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import { limits, mediaKinds, operations } from '@colophon/contract';
import { uploadFile } from '@colophon/sdk';
import type { FileUpload } from '@colophon/sdk';
import type { Schema } from '../untrusted.ts';
import { accessInWords, bytesOfBase64 } from './derived.ts';
import { isRefusal, refuse } from './refusal.ts';
import { inputOf } from './inputs.ts';
import { answersOf, outputOf } from './schemas.ts';
import type { Call, Caller, Tool } from './tool.ts';

/** Reads a file. What a path leads to can also be a folder, a device or a pipe without an end. */
async function bytesIn(file: string): Promise<Uint8Array> {
  const found = await stat(file);
  if (!found.isFile()) return refuse('path must name a file. It names a folder or a device.');
  if (found.size > limits.media_bytes_max)
    return refuse(
      `The file has ${found.size} bytes; at most ${limits.media_bytes_max} can be uploaded.`,
    );
  return readFile(file);
}

/** Reads a file below the folder. Links are followed before the path is checked. */
async function fileBelow(folder: string, path: string): Promise<Uint8Array> {
  const root = await realpath(folder).catch(() =>
    refuse(
      'The folder that COLOPHON_UPLOAD_DIR names is missing. Its operator creates it; until then, send data.',
    ),
  );
  const file = await realpath(resolve(root, path)).catch(() =>
    refuse('There is no such file below the folder that COLOPHON_UPLOAD_DIR names.'),
  );
  const below = relative(root, file);
  if (below === '' || below.startsWith('..') || isAbsolute(below))
    return refuse('The file is not below the folder that COLOPHON_UPLOAD_DIR names.');
  return bytesIn(file).catch((error: unknown) => {
    if (isRefusal(error)) throw error;
    return refuse(
      'This tool host may not read the file. Its operator changes the permissions; until then, send data.',
    );
  });
}

interface Args {
  readonly id?: string;
  readonly data?: string;
  readonly path?: string;
  readonly kind?: string;
}

async function bytesOf({ uploadFolder }: Caller, { path, data }: Args): Promise<Uint8Array> {
  if ((path === undefined) === (data === undefined))
    return refuse('Name exactly one of data (base64) and path.');
  if (path === undefined) return bytesOfBase64(data);
  if (uploadFolder === undefined)
    return refuse(
      'This tool host reads no files. Its operator names a folder as COLOPHON_UPLOAD_DIR (over stdio only). Send data.',
    );
  return fileBelow(uploadFolder, path);
}

/** Refused here, in the words of the tool: the client would name its own function. */
function requireKind({ id, kind }: Args): void {
  if (id === undefined && kind === undefined)
    refuse(`kind must be ${mediaKinds.join(', ')}: name the one that fits the bytes.`);
}

async function upload({ args, caller, idempotencyKey, signal }: Call): Promise<object> {
  const { data: _, path: __, ...file } = args as unknown as Args & FileUpload;
  const content = await bytesOf(caller, args as Args);
  requireKind(args as Args);
  return uploadFile(caller.client, { ...file, content }, { idempotencyKey, signal });
}

const { properties } = inputOf(operations.createMedia);
const own: Readonly<Record<string, Schema>> = {
  data: { type: 'string', description: 'the bytes in base64' },
  path: { type: 'string', description: 'relative to the allowed folder' },
};

export const uploadMedia: Tool = {
  name: 'upload_media',
  title: 'Upload a file',
  description:
    'Upload an image, a sound, a video or a PDF, from data (base64) or from path (a file below the folder that the ' +
    'operator allowed). kind is required unless id is given, and must fit the bytes. The answer is ready, or rejected with a reason; use its url in ' +
    'Markdown as ![alt](url). Write alt_text for people who cannot see it. id: upload the bytes of a record that is ' +
    `still pending. ${accessInWords(operations.uploadMedia)}`,
  input: {
    type: 'object',
    properties: {
      ...properties,
      ...own,
      id: { type: 'string', description: 'id of a file that is still pending' },
    },
    additionalProperties: false,
  },
  own,
  inUrl: { path: ['id'] },
  output: outputOf(answersOf(operations.uploadMedia)),
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: true,
  },
  call: async (call) => ({ body: await upload(call) }),
};
