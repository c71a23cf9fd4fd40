// Leaves know only Node, other leaves and pure packages.
import 'node:fs'; // expect: no-restricted-imports
import 'node:http'; // expect: no-restricted-imports
import '#database'; // expect: no-restricted-imports
import '@colophon/contract'; // expect: no-restricted-imports
import 'pino'; // expect: no-restricted-imports
import '../config/index.ts';
import 'node:crypto';
import 'markdown-it';
import '#lib/other';
