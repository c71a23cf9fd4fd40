// A bounded cache of texts in memory, shared fairly between the addresses that they were made for.

interface Share {
  readonly texts: Map<string, string>;
  size: number;
}

/** UTF-16 units that each text counts in addition to its length. */
const overhead = 200;

/**
 * Opens a cache of the most recently used texts, `unitsMax` UTF-16 units in all. When it is full, the largest
 * share loses its oldest text, so an address that fills the cache evicts its own texts before those of
 * others.
 */
export function openKeptTexts(unitsMax: number) {
  const shares = new Map<string, Share>();
  const ownerOf = new Map<string, string>();
  let size = 0;

  function resize(owner: string, share: Share, change: number): void {
    share.size += change;
    size += change;
    if (share.size === 0) shares.delete(owner);
  }

  /** Evicts the oldest text of the largest share. */
  function forget(): void {
    let largest: readonly [owner: string, share: Share] | undefined;
    for (const one of shares)
      if (largest === undefined || one[1].size > largest[1].size) largest = one;
    if (largest === undefined) return;
    const [owner, share] = largest;
    const [oldest] = share.texts;
    if (oldest === undefined) return;
    const [key, text] = oldest;
    share.texts.delete(key);
    ownerOf.delete(key);
    resize(owner, share, -text.length - overhead);
  }

  return {
    get(key: string): string | undefined {
      const texts = shares.get(ownerOf.get(key) ?? '')?.texts;
      const text = texts?.get(key);
      if (texts === undefined || text === undefined) return undefined;
      texts.delete(key);
      texts.set(key, text);
      return text;
    },
    keep(owner: string, key: string, text: string): void {
      if (ownerOf.has(key)) return;
      const share = shares.get(owner) ?? { texts: new Map<string, string>(), size: 0 };
      shares.set(owner, share);
      share.texts.set(key, text);
      ownerOf.set(key, owner);
      resize(owner, share, text.length + overhead);
      while (size > unitsMax) forget();
    },
  };
}
