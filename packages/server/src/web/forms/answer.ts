// Answers the forms of pages: runs one, then redirects; a refused one comes back with what was typed.
import { randomUUID } from 'node:crypto';
import { ceremonies, limits, operations, problems } from '@colophon/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isNamed, isProblem, otherAccount, problem, unavailable } from '#http';
import type { FormFields, FormLimits, Problem, ReadForm } from '#http';
import type { PageContext, PageHandler, PageRequest } from '../context.ts';
import { html, textOf } from '../html.ts';
import { noteReader } from '../readers.ts';
import { sendRepresentation } from '../respond.ts';
import type { Representation } from '../respond.ts';
import type { Draft, Drafted } from './draft.ts';
import type { Form, SentForm } from './form.ts';
import type { Issued } from './issued.ts';
import { shortLocation } from './location.ts';
import { isOfAnother } from './of-another.ts';
import { once } from './once.ts';
import { pageLost } from './page-lost.ts';
import type { Refused } from './refused.ts';
import { sendAgainLater } from './send-again.ts';
import { withQuery } from '../site.ts';
import { inWords } from './words.ts';

const ordinaryBytes = 64 * 1024;
/** Characters. The keys of forms are UUIDs; a page shows no longer one again. */
const keyMax = limits.idempotency_key_max;

const declared = { ...operations, ...ceremonies };

/** A page, the forms that can be sent to it, and a request with one of them. */
export interface Arrival {
  readonly show: PageHandler;
  readonly forms: Readonly<Record<string, Form>>;
  readonly asked: PageRequest;
  readonly reply: FastifyReply;
  readonly readForm: ReadForm;
  /** Why the form is refused, if that is known before it is read. */
  readonly refusal?: Problem | undefined;
}

function namedForm({ forms, asked }: Arrival): readonly [string, Form] {
  const name = asked.query.get('form') ?? '';
  const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
  if (form === undefined) throw problem('not-found', 'This page has no such form.');
  return [name, form];
}

/** Returns the faults of a problem under the names of the fields that they are about. */
function faultsOf({ members }: Problem, form: Form): ReadonlyMap<string, string> {
  const faults = (members.errors ?? []).map(({ pointer, detail }) => {
    const [member = ''] = pointer.slice(1).split('/');
    return [form.fieldOf?.[pointer] ?? form.fieldOf?.[`/${member}`] ?? member, detail] as const;
  });
  return new Map(faults);
}

/** The same problem for a script: its pointers name the fields of the form, and a spent key is replaced. */
function forScript(error: Problem, faults: ReadonlyMap<string, string>): Problem {
  const errors = Array.from(faults, ([field, detail]) => ({
    pointer: `/${field}`,
    code: 'field',
    detail: field === '' ? error.message : detail,
  }));
  const members = {
    ...error.members,
    ...(errors.length > 0 ? { errors } : {}),
    ...(error.problem === 'idempotency-key-reuse' ? { key: randomUUID() } : {}),
  };
  return Object.assign(error, { members });
}

function isFromScript({ headers }: FastifyRequest): boolean {
  return isNamed(headers.accept, 'application/json');
}

/** Reads the form. A limit that refuses it before is said in words too. */
async function readFields(
  { readForm, asked, reply }: Arrival,
  accepted: FormLimits,
): Promise<FormFields> {
  try {
    return await readForm(asked.request, reply, accepted);
  } catch (error) {
    throw isProblem(error) ? inWords(error, null) : error;
  }
}

async function run(
  web: PageContext,
  form: Form,
  sent: SentForm,
): Promise<string | Issued | Drafted> {
  if (sent.caller === null && form.isOpen !== true)
    throw problem('unauthenticated', 'You are not signed in, or your session has ended. Sign in.');
  if (sent.caller !== null && isOfAnother(sent.fields, sent.caller))
    throw otherAccount(sent.caller);
  return form.send(web, sent);
}

/**
 * Whether a page says what is wrong, or shows the refused form, which keeps its key. It may show neither: the
 * form was about something else than the page, or the page shows another form by now. After 412 it shows both
 * texts.
 */
function isSaid({ text }: Representation, { fields, problem: error, faults }: Refused): boolean {
  if (error.problem === 'precondition-failed') return true;
  const words = [error.message, ...faults.values()].map((said) => textOf(html`${said}`));
  const key = fields.get('key') ?? '';
  const marks =
    key === '' || key.length > keyMax ? words : [...words, textOf(html`value="${key}"`)];
  return marks.some((mark) => text.includes(mark));
}

/** The path of the page that a form was sent to. */
function pageOfForm({ request }: PageRequest): string {
  const [path = '', query] = request.url.split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.delete('form');
  return withQuery(path, Object.fromEntries(parameters));
}

/** Returns the page with the refused form; another page if this one is gone, has moved or cannot be shown. */
async function shownAgain(web: PageContext, { show, asked }: Arrival, refused: Refused) {
  if (isForLater(refused.problem)) return sendAgainLater(web, asked, refused);
  try {
    const shown = await show(web, { ...asked, refused });
    if ('elsewhere' in shown) return await pageLost(web, refused);
    if (isSaid(shown, refused)) return shown;
    return await pageLost(web, refused, { why: refused.problem.message, path: pageOfForm(asked) });
  } catch (error) {
    const problem = isProblem(error) ? error : unavailable(error);
    if (problem === undefined) throw error;
    // The desk is closed to the suspended: the suspension is why, not the page.
    if (web.caller?.suspended === true) return sendAgainLater(web, asked, refused);
    return isForLater(problem)
      ? sendAgainLater(web, asked, { ...refused, problem: inWords(problem, web.caller) })
      : pageLost(web, { ...refused, problem });
  }
}

/**
 * Whether the same form may be sent again as it is, and its page would be refused too, or shows no form. After
 * 413 the texts may be far longer than the fields of the page.
 */
function isForLater({ problem }: Problem): boolean {
  const all = ['unauthenticated', 'rate-limited', 'unavailable', 'payload-too-large'];
  return all.includes(problem);
}

interface FormPage {
  readonly status: 200 | 201;
  /** The address that the page has afterwards. */
  readonly path: string;
  readonly more: Pick<PageRequest, 'issued' | 'draft'>;
}

/** What the answer itself shows: a secret, which no redirect could carry, or a form that is not done yet. */
function pageOf(done: Issued | Drafted, sent: Draft): FormPage {
  if ('secret' in done) return { status: 201, path: done.path, more: { issued: done } };
  const draft = { ...sent, ...(done.fields === undefined ? {} : { fields: done.fields }) };
  return { status: 200, path: done.path, more: { draft } };
}

/** Sends the page of a form as the answer to it. No cache stores it. */
async function sendPage(
  web: PageContext,
  { show, asked, reply }: Arrival,
  { status, path, more }: FormPage,
): Promise<FastifyReply> {
  const shown = await show(web, { ...asked, ...more });
  if ('elsewhere' in shown) throw new Error('The page of the form is elsewhere.');
  const location = web.site.at(path);
  const json = { contentType: 'application/json; charset=utf-8', noindex: true };
  const sent = isFromScript(asked.request)
    ? { ...json, text: JSON.stringify({ location, page: shown.text }) }
    : shown;
  void reply.code(status);
  return sendRepresentation(asked.request, reply, { ...sent, shared: false }, web.config);
}

async function sendAgain(
  web: PageContext,
  arrival: Arrival,
  refused: Refused,
): Promise<FastifyReply> {
  const { asked, reply } = arrival;
  const shown = await shownAgain(web, arrival, refused);
  const { problem, members } = refused.problem;
  void reply.code(problems[problem].status);
  if (members.retry_after_seconds !== undefined)
    void reply.header('retry-after', String(members.retry_after_seconds));
  return sendRepresentation(asked.request, reply, { ...shown, shared: false }, web.config);
}

/**
 * Runs the form that a request names. A browser is redirected to the result (303), so that a reload sends
 * nothing again; a script gets 201 with `location`. A form that makes a secret answers with its page (201); a
 * script gets `page` too. A form that is sent twice at once waits for itself. A refused form is shown again
 * with the status of the problem; a script gets the problem document, whose pointers name fields.
 */
export async function answerForm(base: PageContext, arrival: Arrival): Promise<FastifyReply> {
  const { asked, reply } = arrival;
  const [name, form] = namedForm(arrival);
  const accepted = {
    operation: declared[form.operation],
    bytesMax: form.bytesMax ?? ordinaryBytes,
    refusal: arrival.refusal,
  };
  const { caller, fields, refusal } = await readFields(arrival, accepted);
  const web = { ...base, caller };
  noteReader(asked.request, web);
  const byScript = isFromScript(asked.request);
  try {
    if (refusal !== undefined) throw refusal;
    const key = fields.get('key') ?? '';
    const done = await once(() => run(web, form, { asked, fields, caller, key }));
    if (typeof done !== 'string')
      return await sendPage(web, arrival, pageOf(done, { name, fields }));
    const location = web.site.at(shortLocation(done));
    void reply.header('cache-control', 'private, no-store');
    if (!byScript) return await reply.redirect(location, 303);
    return await reply.code(201).header('location', location).send({ location });
  } catch (cause) {
    const error = isProblem(cause) ? cause : unavailable(cause);
    if (error === undefined) throw cause;
    const faults = faultsOf(error, form);
    const said = inWords(error, caller);
    if (byScript) throw forScript(said, faults);
    return sendAgain(web, arrival, { name, fields, problem: said, faults });
  }
}
