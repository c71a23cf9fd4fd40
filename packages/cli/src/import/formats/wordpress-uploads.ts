// Addresses of uploaded files in a WordPress export: those of the files themselves, and of the variants of images.

/** Returns the path of an address as it was named: an address may have it with or without percent-encoding. */
export function uploadPath(address: string): string {
  const path = address.replace(/^(?:https?:)?\/\/[^/]*/i, '').replace(/[?#][^]*$/, '');
  try {
    return decodeURIComponent(path).normalize();
  } catch {
    return path.normalize();
  }
}

/** Returns the host of an address without `www.`; undefined for a relative address. */
export function hostOf(address: string): string | undefined {
  const [, host] = /^(?:https?:)?\/\/(?:[^/?#]*@)?(?:www\.)?([^/?#]+)/i.exec(address) ?? [];
  return host?.toLowerCase();
}

/** What WordPress adds to the name of an image that is smaller than the uploaded one, or turned. */
const marks = ['', '-scaled', '-rotated'];

/**
 * Returns the paths that the uploaded file of an address can have, the likeliest first. A name may end like that of
 * a variant and still be the name of a file: `wall-800x600.png` beside `wall-1024x768.png`.
 */
export function originalPaths(address: string): readonly string[] {
  const path = uploadPath(address);
  const [, name, ending] = /^(.*?)(?:-(?:\d+x\d+|scaled|rotated))?(\.\w+)$/s.exec(path) ?? [];
  if (name === undefined || ending === undefined) return [path];
  return [path, ...marks.map((mark) => name + mark + ending)];
}
