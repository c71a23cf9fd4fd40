// Types of thread-pool-wakeup.mjs, for the runner of the tests.
export function wakeThreadPool(): void;
