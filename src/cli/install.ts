import { run } from '../demo/run.js';
import { TablewrightError } from '../errors.js';
import { stopWhenAborted } from '../interrupt.js';
import { hasPackages } from '../output/installed.js';
import { shownFolder } from './pipeline.js';
import { converse } from './question.js';
import { progressOf, type CommonFlags, type Session } from './session.js';

export interface InstallFlags extends CommonFlags {
  readonly yes?: boolean;
}

/**
 * Installs the packages of a project that has none yet, after asking on a terminal. Throws USAGE
 * when it may not.
 */
export async function installPackages(session: Session, flags: InstallFlags, folder: string): Promise<void> {
  if (await hasPackages(folder)) return;
  const shown = shownFolder(session, folder);
  if (flags.yes !== true && !(await isWanted(session, shown))) {
    throw new TablewrightError(
      'USAGE',
      `The packages of the project in ${shown} are not installed.`,
      `Run \`npm install\` in ${shown}, or add --yes.`,
    );
  }
  const { signal } = session;
  await progressOf(session, flags).stage('Install the packages of the project', async () => {
    const { code, stdout, stderr } = await run('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder, signal });
    stopWhenAborted(signal);
    if (code === 0) return;
    const output = `${stdout}\n${stderr}`.trim().slice(-4000);
    throw new TablewrightError('OUTPUT_FAILED', `npm could not install the packages of ${shown}.`, output);
  });
}

async function isWanted(session: Session, shown: string): Promise<boolean> {
  if (!session.interactive) return false;
  const text = `The packages of the project in ${shown} are not installed. Run npm install there now?`;
  const answer = await converse(session, (ask) => ask(text, 'Y/n'));
  return /^(y(es)?)?$/i.test(answer);
}
