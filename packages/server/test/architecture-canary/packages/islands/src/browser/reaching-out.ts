// What runs in browsers knows neither Node nor the door of texts, which starts threads.
import 'node:crypto'; // expect: no-restricted-imports
import '@colophon/text'; // expect: no-restricted-imports
import '@colophon/text/lib/token-text'; // expect: no-restricted-imports
import '@colophon/server'; // expect: no-restricted-imports
import '../bundle.ts';
import { createRenderer } from '@colophon/text/markdown';

export const render = createRenderer;
