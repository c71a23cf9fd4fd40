// A file sent as a form with one field, as browsers send it (RFC 7578).
import type { RequestTemplate } from '../parts/load.ts';

const boundary = 'part-of-a-form';

export function uploadForm(
  path: string,
  bodyFile: string,
  headers: Readonly<Record<string, string>>,
): RequestTemplate {
  const head = [
    `--${boundary}`,
    'content-disposition: form-data; name="file"; filename="{run}-{n}.png"',
    'content-type: image/png',
  ];
  return {
    method: 'POST',
    paths: [path],
    headers: { ...headers, 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: `${head.join('\r\n')}\r\n\r\n`,
    bodyFile,
    bodyEnd: `\r\n--${boundary}--\r\n`,
  };
}
