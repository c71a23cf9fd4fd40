// The page of one operation: what it does and needs, its parameters, body, answers, problems and samples.
import { needsPrecondition, problems } from '@colophon/contract';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import type { Site } from '../site.ts';
import { figure } from '../components/labels.ts';
import { code, fieldList, inline, method, paragraphs, path } from './field-list.ts';
import type { Answer, Area, Described } from './operations.ts';
import { tryForm } from './try-form.ts';

interface Shown {
  readonly site: Site;
  readonly area: Area;
  readonly operation: Described;
  readonly errorsBaseUrl: string;
}

const accessWords = {
  public: 'None. A token that is sent must be valid.',
  token: 'Any valid token.',
} as const;

function isOpen(access: string): access is keyof typeof accessWords {
  return access in accessWords;
}

function accessOf({ access, scopes, humansOnly }: Described): Content {
  const names = scopes.map((scope, at) => html`${at > 0 && ' and '}<code>${scope}</code>`);
  const token = isOpen(access)
    ? accessWords[access]
    : html`Scope${names.length > 1 && 's'} ${names}.`;
  return [token, humansOnly && ' Not for agents.'];
}

const keys = {
  required: 'An Idempotency-Key is required. Reuse it to retry the same request.',
  accepted: 'An Idempotency-Key may be sent. Reuse it to retry the same request.',
} as const;

function preconditionOf(operation: Pick<Described, 'problems'>): string {
  return needsPrecondition(operation)
    ? 'If-Match with the newest revision, or expected_revision_id.'
    : 'If-Match with the newest revision may be sent.';
}

function facts(operation: Described): Html {
  const { counts, takesKey } = operation;
  const takesRevision = operation.parameters.some(({ name }) => name === 'If-Match');
  const rows: readonly (readonly [string, Content])[] = [
    ['Token', accessOf(operation)],
    ...(takesKey === undefined ? [] : [['Retries', keys[takesKey]] as const]),
    ...(takesRevision ? [['Precondition', preconditionOf(operation)] as const] : []),
    ...(counts.length === 0
      ? []
      : [['Limits', counts.map((one) => html`<span>${inline(one)}</span> `)] as const]),
  ];
  return html`<dl class="needs">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

const places = { path: 'Path', query: 'Query', header: 'Headers' } as const;

function parameters(operation: Described): Content {
  const lists = (['path', 'query', 'header'] as const).map((one) => {
    const own = operation.parameters.filter((parameter) => parameter.in === one);
    return (
      own.length > 0 &&
      html`<h3>${places[one]}</h3>
${fieldList(own, ({ required }) => (required ? 'required' : ''))}`
    );
  });
  return (
    operation.parameters.length > 0 &&
    html`<section aria-labelledby="parameters"><h2 id="parameters">Parameters</h2>
${lists}</section>`
  );
}

function body({ body: fields, bodyLimit, upload }: Described): Content {
  if (upload !== undefined)
    return html`<section aria-labelledby="body"><h2 id="body">Body</h2>
<p>The bytes of the file, at most ${figure(upload)}, with their exact Content-Length.</p></section>`;
  return (
    fields.length > 0 &&
    html`<section aria-labelledby="body"><h2 id="body">Body</h2>
<p>JSON, at most ${figure(bodyLimit)} bytes. Members that are not listed are refused.</p>
${fieldList(fields, ({ required }) => (required ? 'required' : ''))}</section>`
  );
}

function answer({ status, meaning, fields, example, types, isTrial }: Answer): Html {
  if (isTrial)
    return html`<h3><span class="status">${status}</span> Dry run</h3>
<p>To <code>dry_run=true</code>: the members below, and <code>dry_run</code>. Nothing was changed.</p>`;
  const bytes = fields.length === 0 && types.length > 0;
  return html`<h3><span class="status">${status}</span> ${meaning}</h3>
${bytes && html`<p>The bytes of a file: ${types.map((type, index) => html`${index > 0 && ', '}<code>${type}</code>`)}.</p>`}${
    example !== undefined &&
    html`<details class="example"><summary>Example</summary>${code(example, `Example of ${status}`)}</details>`
  }${fields.length > 0 && fieldList(fields, ({ required }) => (required ? '' : 'not always'))}`;
}

function answers(operation: Described): Html {
  return html`<section aria-labelledby="answers"><h2 id="answers">Answers</h2>
${operation.answers.map(answer)}</section>`;
}

function problemList({ operation, errorsBaseUrl }: Shown): Html {
  const rows = operation.problems
    .toSorted((one, other) => problems[one].status - problems[other].status)
    .map(
      (name) =>
        html`<li><span class="status">${problems[name].status}</span> <a href="${errorsBaseUrl}/${name}">${name}</a> <span class="says">${problems[name].title}${problems[name].retryable && '. Can be retried.'}</span></li>
`,
    );
  return html`<section aria-labelledby="problems"><h2 id="problems">Problems</h2>
<p>Errors are problem documents. Match on <code>type</code>.</p>
<ul class="problems">${rows}</ul></section>`;
}

const languages: Readonly<Record<string, string>> = { Shell: 'curl', TypeScript: 'TypeScript' };

function samples(operation: Described): Html {
  const blocks = operation.samples.map(({ lang, source }) => {
    const name = languages[lang] ?? lang;
    return html`<div class="sample"><h3>${name}</h3>
<button type="button" class="quiet copy" hidden>Copy</button>
${code(source, `${name} example`)}</div>
`;
  });
  return html`<section aria-labelledby="examples"><h2 id="examples">Examples</h2>
${blocks}</section>`;
}

function neighbours({ site, area, operation }: Shown): Html {
  const items = area.operations.map((one) => {
    const here = one.name === operation.name;
    return html`<li><a href="${site.at(`/docs/api/${one.slug}`)}"${here && html` aria-current="page"`}>${method(one.method)} ${one.summary}</a></li>
`;
  });
  return html`<nav class="neighbours" aria-label="${area.title}"><h2>${area.title}</h2>
<ul class="operations">${items}</ul></nav>`;
}

/** Returns the content of the page. */
export function operationMain(shown: Shown): Html {
  const { site, area, operation } = shown;
  return html`<div class="reference">
<header class="intro">
<p class="small"><a href="${site.at('/docs')}">Guides</a> / <a href="${site.at('/docs/api')}">API reference</a> / <a href="${site.at(`/docs/api#${area.name}`)}">${area.title}</a></p>
<h1>${operation.summary}</h1>
<p class="call">${method(operation.method)} ${path(operation.path)}</p>
${operation.about !== '' && html`<div class="about">${paragraphs(operation.about)}</div>`}
${facts(operation)}
<p class="small">In the client <code>${operation.name}</code> · <a href="${site.at(`/docs/api/${operation.slug}.md`)}">Markdown</a> · <a href="#try">Try it</a></p>
</header>
<div class="use">
${samples(operation)}
${tryForm(operation)}
</div>
<div class="details">
${parameters(operation)}${body(operation)}${answers(operation)}${problemList(shown)}
</div>
${neighbours(shown)}
</div>`;
}
