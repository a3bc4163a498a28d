import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Observer } from '../observe/observation.js';
import type { Settings } from '../settings/settings.js';

/** The last words of a command that failed, in characters. */
const MOST_TOLD = 500;

/**
 * Runs the generator to write the files of the followed schema, for the commit: `tablewright
 * generate` in the working directory, as its user would run it. A failure is a warning; the server
 * continues.
 * @param running the run before, which is waited for
 */
export async function writeFiles(settings: Settings, observe: Observer, running: Promise<void>): Promise<void> {
  if (!settings['app.drift.write'] || settings['app.server.production']) return;
  await running;
  const program = join(process.cwd(), 'node_modules', '.bin', 'tablewright');
  if (!existsSync(program)) {
    observe({
      kind: 'warning',
      message: 'app.drift.write is on, and tablewright is not installed in the working directory.',
      hint: 'npm install --save-dev tablewright',
    });
    return;
  }
  await new Promise<void>((resolve) => {
    const args = [realpathSync(program), 'generate'];
    execFile(process.execPath, args, { env: { ...process.env, NO_COLOR: '1' } }, (error, _stdout, stderr) => {
      if (error !== null) {
        const message = `The files of the changed schema were not written: ${stderr.trim().slice(-MOST_TOLD)}`;
        observe({ kind: 'warning', message, hint: 'Run `npx tablewright generate` to see why.' });
      }
      resolve();
    });
  });
}
