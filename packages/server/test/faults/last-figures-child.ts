// A process that ends while its database does not answer, and hands over what it counted.
import { openLink } from '../../src/processes/link.ts';

const link = openLink();
link.onFigures({ read: () => new Promise(() => undefined), counts: () => ['counted'] });
await link.lastFigures();
process.disconnect?.();
