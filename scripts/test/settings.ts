// The settings of the user who runs the tests, which must not affect them.

const settings =
  /^(PG[A-Z]+|COLOPHON_\w+|DATABASE_URL|REPLICA_URLS|DATA_DIR|DISK_RESERVE|HOST|PORT|PROCESSES|(ERRORS_|MEDIA_)?BASE_URL|MEDIA_STORE|BACKUP_(TO|RECIPIENT)|AWS_[A-Z_]+|ROLE|LIMITS|REDIS_URL|TRUSTED_PROXIES|REGISTRATION|DEPLOYMENT|METRICS_TOKEN|OTEL_[A-Z_]+|LOG_(LEVEL|KEY_FILE|WITNESS[A-Z_]*))$/;

/** A locale that other programs may not know, and how every Node.js is started and connects. */
const ofShell = /^(LANG|LANGUAGE|LC_[A-Z]+|NODE_OPTIONS|NODE_USE_ENV_PROXY)$/;

/** Removes them: the tests set what they need. */
export function forgetSettings(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(env)) {
    if (settings.test(name) || ofShell.test(name)) delete env[name];
  }
}
