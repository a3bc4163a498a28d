import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Observer } from '../observe/observation.js';
import type { Settings } from '../settings/settings.js';

/** How much of the output of a failed command is logged, in characters from its end. */
const MAX_TOLD = 500;

/**
 * Runs `tablewright generate` in the working directory after a swap (`app.drift.write`), so that
 * the generated files of the changed schema can be committed. A failure is a warning; the server
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
        const message = `The files of the changed schema were not written: ${stderr.trim().slice(-MAX_TOLD)}`;
        observe({ kind: 'warning', message, hint: 'Run `npx tablewright generate` to see why.' });
      }
      resolve();
    });
  });
}
