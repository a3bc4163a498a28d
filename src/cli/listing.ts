import type { PlannedFile } from '../output/plan.js';
import type { Terminal } from './terminal.js';

/** A file of a plan, as `--json` shows it. */
export type FileLine = Pick<PlannedFile, 'path' | 'action' | 'edited'>;

const mostLines = 40;

/** Prints the files that differ, one a line, and how many more there are. */
export function listFiles({ print, colors }: Terminal, files: readonly PlannedFile[]): void {
  const { dim, green, red, yellow } = colors.out;
  const paint = { add: green, change: yellow, delete: red, keep: dim };
  const changed = files.filter((file) => file.action !== 'keep');
  for (const { path, action, edited } of changed.slice(0, mostLines)) {
    print(`  ${paint[action](action.padEnd(6))}  ${path}${edited ? dim('  (edited by hand)') : ''}`);
  }
  if (changed.length > mostLines) print(dim(`  and ${String(changed.length - mostLines)} more`));
}

/** What to do with a project that was just written. */
export const nextSteps = (folder: string): readonly string[] => [
  '',
  'Next:',
  ...(folder === '.' ? [] : [`  cd ${folder}`]),
  '  npm install',
  '  npm run build',
  '  DATABASE_URL=postgres://user@host/database npm start',
];
