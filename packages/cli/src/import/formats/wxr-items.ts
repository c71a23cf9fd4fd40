// Reads the items of a WordPress export (WXR) as a stream of XML, without document types.
import sax from 'sax';
import { refusal } from '../source.ts';
import { textOf } from './media-files.ts';

/** An item: members by their XML name, and what can occur more than once. */
export interface WxrItem {
  readonly members: Readonly<Record<string, string>>;
  readonly categories: readonly { readonly domain: string; readonly name: string }[];
  readonly meta: Readonly<Record<string, string>>;
  readonly comments: number;
}

/** The channel without its items. */
export interface WxrHead {
  readonly members: Readonly<Record<string, string>>;
  /** Display names by login. */
  readonly authors: Readonly<Record<string, string>>;
}

/** Bytes of one member; a longer text cannot be an article. */
const memberMax = 16 * 1024 * 1024;

const howToExport =
  'In WordPress, choose Tools, Export, All content, and give the XML file that it writes (WXR). ' +
  'An export of Colophon (ZIP), one of Ghost (JSON) and a folder of Markdown files can be imported too.';

interface Building {
  members: Record<string, string>;
  categories: { domain: string; name: string }[];
  meta: Record<string, string>;
  comments: number;
}

const emptyItem = (): Building => ({ members: {}, categories: [], meta: {}, comments: 0 });

interface State {
  readonly path: string[];
  text: string[];
  length: number;
  domain: string;
  key: string;
  login: string;
  item: Building;
  readonly head: { members: Record<string, string>; authors: Record<string, string> };
  readonly done: WxrItem[];
}

/** What to do at the end of an element, by its path below the channel. */
const ends: Readonly<Record<string, (state: State, text: string) => void>> = {
  'item/category': (state, name) => state.item.categories.push({ domain: state.domain, name }),
  'item/wp:postmeta/wp:meta_key': (state, key) => (state.key = key),
  'item/wp:postmeta/wp:meta_value': (state, value) => (state.item.meta[state.key] = value),
  'item/wp:comment': ({ item }) => (item.comments += 1),
  'wp:author/wp:author_login': (state, login) => (state.login = login),
  'wp:author/wp:author_display_name': ({ head, login }, name) => (head.authors[login] = name),
  item: (state) => {
    state.done.push(state.item);
    state.item = emptyItem();
  },
};

function endElement(state: State): void {
  const [, , ...path] = state.path;
  const text = state.text.join('');
  const [first, second] = path;
  const end = ends[path.join('/')];
  if (end !== undefined) end(state, text);
  else if (first === 'item' && second !== undefined && path.length === 2)
    state.item.members[second] = text;
  else if (path.length === 1 && first !== undefined) state.head.members[first] = text;
  state.path.pop();
  state.text = [];
  state.length = 0;
}

function parserOf(state: State): sax.SAXParser {
  const parser = sax.parser(true, { trim: false });
  const add = (text: string) => {
    state.length += text.length;
    if (state.length > memberMax) throw refusal('An element of the export is longer than 16 MiB.');
    state.text.push(text);
  };
  parser.ondoctype = () => {
    throw refusal(
      `The file is refused: it declares a document type, which no WordPress export does. ${howToExport}`,
    );
  };
  parser.onopentag = ({ name, attributes }) => {
    if (state.path.length > 32)
      throw refusal('The file is refused: its elements are nested too deeply.');
    state.path.push(name);
    const { domain } = attributes;
    state.domain = typeof domain === 'string' ? domain : '';
    state.text = [];
    state.length = 0;
  };
  parser.onclosetag = () => endElement(state);
  parser.ontext = add;
  parser.oncdata = add;
  parser.onerror = (error) => {
    const [reason = ''] = error.message.split('\n');
    throw refusal(`The file is not well-formed XML (line ${parser.line + 1}): ${reason}.`, error);
  };
  return parser;
}

/**
 * Yields each item as soon as it has been read, and the channel to `onHead` at the end. Memory does
 * not grow with the file.
 *
 * @throws a refusal for anything that is not a WordPress export
 */
export async function* readItems(
  file: string,
  onHead: (head: WxrHead) => void = () => undefined,
): AsyncGenerator<WxrItem> {
  const head = { members: {}, authors: {} };
  const state: State = {
    path: [],
    text: [],
    length: 0,
    domain: '',
    key: '',
    login: '',
    item: emptyItem(),
    head,
    done: [],
  };
  const parser = parserOf(state);
  for await (const part of textOf(file)) {
    parser.write(part);
    yield* state.done.splice(0);
  }
  parser.close();
  yield* state.done.splice(0);
  onHead(head);
  if (!('wp:wxr_version' in head.members))
    throw refusal(
      `This is not a WordPress export: it has no wxr_version. A feed (Atom or RSS) cannot be imported: it has only the newest articles. ${howToExport}`,
    );
}
