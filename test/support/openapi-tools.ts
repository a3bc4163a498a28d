import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { clients } from './client-packages.js';

export interface LintProblem {
  readonly name: string;
  readonly rule: string;
  readonly message: string;
  readonly at: string;
}

/** The problems that Redocly and Spectral find in documents, by the names of the documents. */
export async function lintOpenapi(documents: ReadonlyMap<string, string>): Promise<readonly LintProblem[]> {
  const child = spawn(process.execPath, ['openapi/lint.mjs'], {
    cwd: clients,
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(Object.fromEntries(documents)));
  return JSON.parse(await text(child.stdout)) as readonly LintProblem[];
}
