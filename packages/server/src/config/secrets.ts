// Finds the secrets in the settings and removes them from the service's output.

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings whose whole value is a secret. */
const wholes = [
  'AWS_CONTAINER_AUTHORIZATION_TOKEN',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'METRICS_TOKEN',
  'PGPASSWORD',
];
/** Settings of pairs such as `api-key=…`, of which each value is a secret. */
const pairs = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'];
/** Settings that are addresses, which may contain a password. */
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
/** A shorter text may be part of ordinary words, which would be redacted. */
const shortest = 5;
const shown = '[redacted]';

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Returns the passwords in an address, even if it is malformed and parts of them are in host, port or path.
 */
function passwordsIn(address: string): string[] {
  const users = [/:\/\/(.*)@/s, /:\/\/([^@]*)@/g].flatMap((form) =>
    [...address.matchAll(new RegExp(form, 'gs'))].map(([, user = '']) => user),
  );
  const passwords = users.flatMap((user) => {
    const at = user.indexOf(':');
    // For S3, the user name before the key must not be shown either; before a ? it is the bucket.
    const [name, password] = at < 0 ? ['', ''] : [user.slice(0, at), user.slice(at + 1)];
    if (address.startsWith('s3:'))
      return [name.includes('?') ? '' : name, password, ...(at < 0 ? [user] : [])];
    // Not a secret: it is the same as the user name, and at most services a common word in the log.
    return password === name ? [] : [password];
  });
  const parameters = [
    ...address.matchAll(/[?&][^=&#]*(?:pass|secret|token|key|credential)[^=&#]*=([^&#]*)/gi),
  ].map(([, value = '']) => value);
  return [...passwords, ...parameters].flatMap((one) => [one, ...one.split(/[@:/?#]/)]);
}

/** Returns the values of `key=value,key=value`, and the parts of such as `Bearer …`. */
function valuesIn(text: string): string[] {
  const values = text.split(',').map((pair) => pair.slice(pair.indexOf('=') + 1).trim());
  return values.flatMap((value) => [value, ...decode(value).split(' ')]);
}

/**
 * Returns the addresses of a setting one by one: of two that are taken as one, the host of the first would be a part
 * of a password. Any other text may be one password with a comma.
 */
function addressesOf(env: Environment, name: string): string[] {
  const text = env[name] ?? '';
  const list =
    name === 'REPLICA_URLS'
      ? text.split(/[\s,](?=\w+:\/\/)/).filter((one) => /[^\s,]/.test(one))
      : [text];
  return list.every((one) => /^\s*postgres(?:ql)?:\/\//.test(one)) ? list : [text];
}

function secretsIn(env: Environment): readonly string[] {
  const found = [
    ...wholes.map((name) => env[name] ?? ''),
    ...pairs.flatMap((name) => valuesIn(env[name] ?? '')),
    ...addresses.flatMap((name) => addressesOf(env, name).flatMap(passwordsIn)),
  ];
  const spelled = found.flatMap((one) => [one, decode(one), encodeURIComponent(one)]);
  // Log lines are JSON, in which secrets are escaped.
  const escaped = spelled.flatMap((one) => [one, JSON.stringify(one).slice(1, -1)]);
  return [...new Set(escaped)]
    .filter((one) => one.length >= shortest)
    .sort((one, other) => other.length - one.length);
}

/** Returns a function that replaces every secret of these settings in a text. */
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
