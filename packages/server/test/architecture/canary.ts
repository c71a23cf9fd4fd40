// Runs the linter over the folder of known violations, in a copy of the tree so that every path rule applies.
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { Finding } from './statements.ts';
import type { Source } from './sources.ts';

interface Diagnostic {
  readonly code: string;
  readonly filename: string;
  readonly labels: readonly { readonly span: { readonly line: number } }[];
}

/**
 * What a canary file says about itself: `expect: rule, rule` at the end of the line, `expect in this file: rule`,
 * or `expect below: rule` above a statement.
 */
export function expectations(sources: readonly Source[], where: 'here' | 'below'): string[] {
  const found = sources.flatMap(({ file, text }) =>
    text.split('\n').flatMap((words, index) => {
      const match =
        /(?:\/\/|--) expect(?<place> in this file| below)?: (?<rules>[\w-]+(?:, [\w-]+)*)$/.exec(
          words,
        );
      const { place, rules = '' } = match?.groups ?? {};
      if (match === null || (place === ' below') !== (where === 'below')) return [];
      const at =
        place === ' in this file' ? file : `${file}:${index + (where === 'below' ? 2 : 1)}`;
      return rules.split(', ').map((rule) => `${at} ${rule}`);
    }),
  );
  return found.toSorted();
}

const ofWholeFile = new Set(['max-lines', 'filename-case', 'no-cycle']);

/** Findings in the form of expectations. */
export function linesOf(findings: readonly Finding[]): string[] {
  const lines = findings.map(({ file, line, rule }) =>
    ofWholeFile.has(rule) ? `${file} ${rule}` : `${file}:${line} ${rule}`,
  );
  return [...new Set(lines)].toSorted();
}

/** What the linter says with the project's own configuration about the sources in `folder`. */
export async function lint(root: string, folder: string): Promise<Finding[]> {
  const copy = mkdtempSync(join(tmpdir(), 'colophon-canary-'));
  try {
    cpSync(folder, copy, { recursive: true });
    for (const file of [
      '.oxlintrc.json',
      '.oxlintrc.borders.json',
      'tsconfig.json',
      'package.json',
    ])
      cpSync(join(root, file), join(copy, file));
    cpSync(join(root, 'packages/server/package.json'), join(copy, 'packages/server/package.json'));
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    const command = join(root, 'node_modules/oxlint/bin/oxlint');
    const { stdout } = await promisify(execFile)(process.execPath, [command, '--format=json'], {
      cwd: copy,
    })
      // It ends with an error status when it finds something, which is what it is run for.
      .catch((error: { stdout: string }) => error);
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: readonly Diagnostic[] };
    return diagnostics.map(({ code, filename, labels }) => ({
      file: relative(copy, join(copy, filename)),
      line: labels[0]?.span.line ?? 1,
      rule: code.replace(/^.*\((.*)\)$/, '$1'),
    }));
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
