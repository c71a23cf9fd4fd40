// The forms that a page shows, as a browser reads them: fields, labels, buttons, and what is sent.
import { defaultTreeAdapter, parse } from 'parse5';
import type { DefaultTreeAdapterTypes } from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

export interface ShownField {
  readonly tag: 'input' | 'textarea' | 'select' | 'button';
  /** The type of an input or a button; the tag of anything else. */
  readonly type: string;
  readonly name: string | undefined;
  readonly value: string;
  /** The values that can be chosen. */
  readonly options: readonly string[];
  /** Whether an untouched form sends it. */
  readonly isSent: boolean;
  readonly attributes: Readonly<Record<string, string>>;
  /** What a screen reader says of it; '' if nothing. */
  readonly label: string;
}

export interface ShownForm {
  /** The path and query that it is sent to. */
  readonly action: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly fields: readonly ShownField[];
}

function walk(node: Node): Element[] {
  const inside = 'childNodes' in node ? node.childNodes.flatMap(walk) : [];
  return defaultTreeAdapter.isElementNode(node) ? [node, ...inside] : inside;
}

const attributesOf = ({ attrs }: Element): Readonly<Record<string, string>> =>
  Object.fromEntries(attrs.map(({ name, value }) => [name, value]));

/** With the words for pictures. */
function textOf(node: Node): string {
  if (defaultTreeAdapter.isTextNode(node)) return node.value;
  if (defaultTreeAdapter.isElementNode(node) && node.tagName === 'img')
    return attributesOf(node)['alt'] ?? '';
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}

function isInside(element: Element, tag: string): Element | undefined {
  let parent: Node | null = element.parentNode;
  while (parent !== null && defaultTreeAdapter.isElementNode(parent)) {
    if (parent.tagName === tag) return parent;
    parent = parent.parentNode;
  }
  return undefined;
}

function labelOf(element: Element, all: readonly Element[]): string {
  const own = attributesOf(element);
  const named = (own['aria-labelledby'] ?? '').split(' ').filter((id) => id !== '');
  const labels = all.filter((one) => {
    const { id, for: target } = attributesOf(one);
    const isFor = one.tagName === 'label' && target !== undefined && target === own['id'];
    return isFor || (id !== undefined && named.includes(id));
  });
  const around = isInside(element, 'label');
  const content = element.tagName === 'button' ? [textOf(element)] : [];
  const texts = [own['aria-label'] ?? '', ...content, ...labels.map(textOf)];
  return [...texts, around === undefined ? '' : textOf(around)].join(' ').trim();
}

function choicesOf(element: Element) {
  const options = walk(element).filter(({ tagName }) => tagName === 'option');
  const valueOf = (option: Element) => attributesOf(option)['value'] ?? textOf(option);
  const chosen = options.find((option) => 'selected' in attributesOf(option)) ?? options[0];
  return { values: options.map(valueOf), chosen: chosen === undefined ? '' : valueOf(chosen) };
}

function typeOf({ tagName: tag }: Element, own: ShownField['attributes']): string {
  if (tag === 'button') return own['type'] ?? 'submit';
  return tag === 'input' ? (own['type'] ?? 'text') : tag;
}

const isTicked = (type: string) => type === 'checkbox' || type === 'radio';

function isSentBy(tag: string, type: string, own: ShownField['attributes']): boolean {
  if (tag === 'button' || own['name'] === undefined || 'disabled' in own) return false;
  return !isTicked(type) || 'checked' in own;
}

function fieldOf(element: Element, all: readonly Element[]): ShownField {
  const attributes = attributesOf(element);
  const tag = element.tagName as ShownField['tag'];
  const type = typeOf(element, attributes);
  const { values, chosen } = tag === 'select' ? choicesOf(element) : { values: [], chosen: '' };
  const given = attributes['value'] ?? (isTicked(type) ? 'on' : '');
  const value = { select: chosen, textarea: textOf(element), input: given, button: given }[tag];
  const isSent = isSentBy(tag, type, attributes);
  const name = attributes['name'];
  const label = labelOf(element, all);
  return { tag, type, name, value, options: values, isSent, attributes, label };
}

const isField = ({ tagName }: Element) => /^(?:input|textarea|select|button)$/.test(tagName);

function belongsTo(element: Element, form: Element): boolean {
  const id = attributesOf(form)['id'];
  const other = attributesOf(element)['form'];
  return other === undefined ? isInside(element, 'form') === form : other === id;
}

function formsBy(text: string, method: 'get' | 'post'): readonly ShownForm[] {
  const all = walk(parse(text));
  const fields = all.filter(isField);
  return all
    .filter((one) => one.tagName === 'form' && (attributesOf(one)['method'] ?? 'get') === method)
    .map((form) => ({
      action: attributesOf(form)['action'] ?? '',
      attributes: attributesOf(form),
      fields: fields.filter((one) => belongsTo(one, form)).map((one) => fieldOf(one, all)),
    }));
}

/** Returns every form that is sent by POST. */
export const formsIn = (text: string) => formsBy(text, 'post');

/** Returns every form that leads to an address, such as that of a search. */
export const searchesIn = (text: string) => formsBy(text, 'get');

/** Returns every field of a page, in a form or not. */
export function fieldsIn(text: string): readonly ShownField[] {
  const all = walk(parse(text));
  return all.filter(isField).map((one) => fieldOf(one, all));
}

export type Pairs = readonly (readonly [name: string, value: string])[];

/** Returns what an untouched form sends, with the first of its buttons. */
export function pairsOf({ fields }: ShownForm): Pairs {
  const button = fields.find(({ tag, name }) => tag === 'button' && name !== undefined);
  const sent = fields.filter(({ isSent }) => isSent);
  return [...sent, ...(button === undefined ? [] : [button])].map(
    ({ name = '', value }) => [name, value] as const,
  );
}

function valueFor({ type, options, value }: ShownField): string {
  if (type === 'select') return value === '' ? (options[1] ?? '') : value;
  if (type === 'textarea' || type === 'text' || type === 'search')
    return value === '' ? 'Some words' : value;
  return type === 'url' ? 'https://example.org/' : value;
}

/** The first choice of each group of which none is chosen. */
function firstChoices({ fields }: ShownForm): readonly ShownField[] {
  const groups = Map.groupBy(
    fields.filter(({ type, name }) => type === 'radio' && name !== undefined),
    ({ name }) => name,
  );
  return [...groups.values()].flatMap((choices) =>
    choices.some(({ isSent }) => isSent) ? [] : choices.slice(0, 1),
  );
}

/** Returns what a person sends who filled every field, chose what must be chosen, and ticked every box. */
export function filledIn(form: ShownForm): Pairs {
  const ticks = form.fields.filter(
    ({ type, isSent, name }) => type === 'checkbox' && !isSent && name !== undefined,
  );
  const byName = new Map(form.fields.map((field) => [field.name, field]));
  const pairs = pairsOf(form).map(([name, value]) => {
    const field = byName.get(name);
    return [
      name,
      field === undefined || field.isSent === false ? value : value || valueFor(field),
    ] as const;
  });
  return [
    ...pairs,
    ...[...firstChoices(form), ...ticks].map(({ name = '', value }) => [name, value] as const),
  ];
}

export function encodePairs(pairs: Pairs): string {
  return new URLSearchParams(pairs.map(([name, value]) => [name, value])).toString();
}
