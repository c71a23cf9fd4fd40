// The texts of an article, as they are typed and sent.

export interface Texts {
  readonly title: string;
  readonly content: string;
}

/** A revision that the server has. */
export interface Revision extends Texts {
  readonly revision: string;
}

export function isSame(one: Texts, other: Texts): boolean {
  return one.title === other.title && one.content === other.content;
}

/** The service stores no empty title: pages show the beginning of the text for a blank one. */
export function sentOf({ title, content }: Texts): Texts {
  return { title: title.trim() === '' ? ' ' : title, content };
}

/** The texts of the server, as the editor has them: no title is '', and lines end with LF. */
export function typedOf({ title, content }: Texts): Texts {
  return {
    title: title.trim() === '' ? '' : title,
    content: content.replaceAll(/\r\n?/g, '\n'),
  };
}
