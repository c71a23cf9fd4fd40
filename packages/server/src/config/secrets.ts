// The secrets that the settings hold, and how they are kept out of what the service writes.

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings that are secrets as a whole. */
const wholes = [
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'METRICS_TOKEN',
  'PGPASSWORD',
];
/** Settings that are addresses, which may carry a password. */
const addresses = [
  'DATABASE_URL',
  'REDIS_URL',
  'REPLICA_URLS',
  'MEDIA_STORE',
  'BACKUP_TO',
  'BASE_URL',
  'ERRORS_BASE_URL',
  'MEDIA_BASE_URL',
];
/** A shorter text stands in words of ours, which would be torn. */
const shortest = 5;
const shown = '[redacted]';

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Passwords of one address, also where it is malformed and its pieces end up in host, port or path. */
function passwordsIn(address: string): string[] {
  const users = [/:\/\/(.*)@/s, /:\/\/([^@]*)@/g].flatMap((form) =>
    [...address.matchAll(new RegExp(form, 'gs'))].map(([, user = '']) => user),
  );
  const passwords = users.flatMap((user) => {
    const at = user.indexOf(':');
    // A key of S3 has no user name before it that may be shown.
    const [name, password] = at < 0 ? ['', ''] : [user.slice(0, at), user.slice(at + 1)];
    if (address.startsWith('s3:')) return [name, password, ...(at < 0 ? [user] : [])];
    // No secret: it stands in the open before it, and is a word of the log at most services.
    return password === name ? [] : [password];
  });
  const parameters = [
    ...address.matchAll(/[?&][^=&#]*(?:pass|secret|token|key|credential)[^=&#]*=([^&#]*)/gi),
  ].map(([, value = '']) => value);
  return [...passwords, ...parameters].flatMap((one) => [one, ...one.split(/[@:/?#]/)]);
}

function secretsIn(env: Environment): readonly string[] {
  const found = [
    ...wholes.map((name) => env[name] ?? ''),
    ...addresses.flatMap((name) => passwordsIn(env[name] ?? '')),
  ];
  const spelled = found.flatMap((one) => [one, decoded(one), encodeURIComponent(one)]);
  // Log lines are JSON.
  const escaped = spelled.flatMap((one) => [one, JSON.stringify(one).slice(1, -1)]);
  return [...new Set(escaped)]
    .filter((one) => one.length >= shortest)
    .sort((one, other) => other.length - one.length);
}

/** A function that replaces every secret of these settings in a text, however it got there. */
export function secretHider(env: Environment): (text: string) => string {
  const secrets = secretsIn(env);
  return (text) => {
    let clean = text;
    for (const secret of secrets) {
      if (clean.includes(secret)) clean = clean.replaceAll(secret, shown);
    }
    return clean;
  };
}
