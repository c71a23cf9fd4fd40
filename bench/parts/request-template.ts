// A request of the load generator that is described by data, so that every peer is asked by the same program.
import { readFileSync } from 'node:fs';
import type autocannon from 'autocannon';
import type { RequestTemplate } from './load.ts';

type Step = Parameters<typeof autocannon>[0]['requests'][number];

let sent = 0;

/** Returns the id at these names of a JSON text. */
function idAt(text: string, names: readonly string[]): string {
  let value: unknown = JSON.parse(text);
  for (const name of names) value = (value as Record<string, unknown>)[name];
  return String(value);
}

/** Returns a body around a file. In its middle stand the run and the number: no two are the same. */
function bodyAround(template: RequestTemplate, file: Buffer, text: string, run: string): Buffer {
  const start = Buffer.from(text);
  const body = Buffer.concat([start, file, Buffer.from(template.bodyEnd ?? '')]);
  body.write(`${run}-${sent}`, start.length + Math.floor(file.length / 2));
  return body;
}

type Person = Readonly<Record<string, string>>;

let operations = 0;

/** Returns who performs an operation: chosen at its first request and kept for the steps that follow. */
function personOf(context: Record<string, string>, people: readonly Person[]): Person {
  context['person'] ??= String((operations += 1));
  return people[Number(context['person']) % people.length] ?? {};
}

/** Returns the step that sends a template again and again. `run` is a name that no other run has. */
export function stepOf(template: RequestTemplate, run: string, people: readonly Person[]): Step {
  const file = template.bodyFile === undefined ? undefined : readFileSync(template.bodyFile);
  return {
    method: template.method,
    headers: {},
    setupRequest: (request, context) => {
      sent += 1;
      const values: Person = {
        ...personOf(context, people),
        n: String(sent),
        run,
        made: context['made'] ?? 'none',
      };
      const filled = (text: string) =>
        text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
      const headers = Object.fromEntries(
        Object.entries(template.headers).map(([name, value]) => [name, filled(value)]),
      );
      const text = filled(template.body ?? '');
      const body = file === undefined ? text : bodyAround(template, file, text, run);
      return {
        ...request,
        path: filled(template.paths[sent % template.paths.length] ?? '/'),
        headers: { ...request.headers, ...headers },
        ...(template.method === 'GET' ? {} : { body }),
      };
    },
    onResponse: (status, answered, context) => {
      if (template.made === undefined || status >= 300) return;
      context['made'] = idAt(answered, template.made);
    },
  };
}
