// A server of the protocol that says which of the params are wrong, with the code that JSON-RPC has for it.
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';

/** What the library’s schema says about one value. */
interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** Of a value that may have one of several forms: what is wrong with it in each. */
  readonly errors?: readonly (readonly Issue[])[];
}

function isIssue(value: unknown): value is Issue {
  const { path, message } = Object(value) as Readonly<Record<string, unknown>>;
  return Array.isArray(path) && typeof message === 'string';
}

/** Returns the issues that the library wrote as JSON into a message; undefined for any other message. */
function issuesIn(message: string): readonly Issue[] | undefined {
  try {
    // oxlint-disable-next-line no-restricted-properties -- the library wrote it
    const value: unknown = JSON.parse(message.replace(/^Invalid tools\/call request: /, ''));
    return Array.isArray(value) && value.length > 0 && value.every(isIssue) ? value : undefined;
  } catch {
    return undefined;
  }
}

function sentenceOf({ path, message, errors = [] }: Issue, above: Issue['path'] = []): string {
  const whole = [...above, ...path];
  const forms = errors.map((form) => form.map((issue) => sentenceOf(issue, whole)).join(', '));
  return forms.length > 0
    ? forms.join(', or ')
    : `${whole.join('.')}: ${message.replace(/^Invalid input: /, '')}`;
}

/** The library checks params before the handler, and reports most of them as an error of the server. */
function refusalOf(error: unknown): unknown {
  const issues = error instanceof Error ? issuesIn(error.message) : undefined;
  if (issues === undefined) return error;
  const sentences = issues.map((issue) => sentenceOf(issue)).join('; ');
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Invalid params: ${sentences}.`);
}

export class DescribingServer extends Server {
  /** The library’s hook for subclasses. */
  protected override _wrapHandler(...[method, handler]: Parameters<Server['_wrapHandler']>) {
    const wrapped = super._wrapHandler(method, handler);
    const described: typeof wrapped = async (request, context) => {
      try {
        return await wrapped(request, context);
      } catch (error) {
        throw refusalOf(error);
      }
    };
    return described;
  }
}
