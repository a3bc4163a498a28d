import type { PlannedFile } from '../output/plan.js';
import { copiedFolder } from '../output/upgrade/counterparts.js';
import type { GenerateResult } from '../generate.js';
import type { Terminal } from './terminal.js';

/** A file of a plan, as `--json` shows it. */
export type FileLine = Pick<PlannedFile, 'path' | 'action' | 'edited' | 'why'>;

export const fileLine = ({ path, action, edited, why }: PlannedFile): FileLine => ({
  path,
  action,
  edited,
  ...(why === undefined ? {} : { why }),
});

const maxLines = 40;

/** Prints the files that differ, one a line, and how many more there are. */
export function listFiles({ print, colors }: Terminal, files: readonly PlannedFile[]): void {
  const { dim, green, red, yellow } = colors.out;
  const paint = { add: green, change: yellow, delete: red, keep: dim };
  const isCopy = ({ path, action }: PlannedFile): boolean => action === 'delete' && path.startsWith(copiedFolder);
  const changed = files.filter((file) => file.action !== 'keep' && !isCopy(file));
  for (const { path, action, edited, why } of changed.slice(0, maxLines)) {
    const note = why ?? (edited ? 'edited by hand' : undefined);
    print(`  ${paint[action](action.padEnd(6))}  ${path}${note === undefined ? '' : dim(`  (${note})`)}`);
  }
  const copies = files.filter(isCopy).length;
  if (copies > 0) {
    const note = dim(`  (${copies} files: the runtime is the package @tablewright/runtime now)`);
    print(`  ${paint.delete('delete')}  ${copiedFolder}${note}`);
  }
  if (changed.length > maxLines) print(dim(`  and ${String(changed.length - maxLines)} more`));
}

/** What to do with a project that was just written. `inFile`: its .env names the database. */
export const nextSteps = (
  folder: string,
  { install, build, start }: GenerateResult['commands'],
  inFile: boolean,
  scheme: string,
): readonly string[] => [
  '',
  'Next:',
  ...(folder === '.' ? [] : [`  cd ${folder}`]),
  `  ${install}`,
  `  ${build}`,
  ...(inFile
    ? [`  ${start}`]
    : [
        `  DATABASE_URL=${scheme}://user@host/database ${start}`,
        '',
        'The file .env may hold DATABASE_URL instead: .env.example shows how.',
      ]),
];
