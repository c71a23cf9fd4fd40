// Leaves know only Node, other leaves and pure packages.
import 'node:fs'; // expect: no-restricted-imports
import 'node:http'; // expect: no-restricted-imports
import '#database'; // expect: no-restricted-imports
import '@colophon/contract'; // expect: no-restricted-imports
import 'pino'; // expect: no-restricted-imports
import 'markdown-it'; // expect: no-restricted-imports
import '../config/index.ts';
import '@colophon/text'; // expect: no-restricted-imports
import '@colophon/text/markdown'; // expect: no-restricted-imports
import '@colophon/text/lib/escape';
import 'node:crypto';
import '#lib/other';
