// npm run admin -- COMMAND: what only the operator may do, beside a running server or alone.
import { keepCompiledCode, loadProgram } from '../runtime/load-program.mjs';
import { wakeThreadPool } from '../runtime/thread-pool-wakeup.mjs';

wakeThreadPool();
keepCompiledCode();
await loadProgram('admin', () => import('./main.ts'));
