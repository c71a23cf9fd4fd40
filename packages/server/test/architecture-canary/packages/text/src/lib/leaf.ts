// Leaves about texts start no thread, and use nothing around them.
import 'node:fs'; // expect: no-restricted-imports
import 'piscina'; // expect: no-restricted-imports
import '../reaching-out.ts'; // expect: no-restricted-imports
import 'node:crypto';
import 'markdown-it';
