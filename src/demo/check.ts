import { TablewrightError } from '../errors.js';
import { stopWhenAborted } from '../interrupt.js';
import type { DemoCommand } from './commands.js';
import { run } from './run.js';
import { parseJson } from '../json.js';

/**
 * Runs each command as its reader would, in a shell, and compares the answer with what its title
 * promises. Throws INTERNAL with the first command that answers anything else.
 * @param print is called with a line for each command that kept its promise
 */
export async function checkCommands(
  commands: readonly DemoCommand[],
  { signal, print }: { readonly signal: AbortSignal; readonly print: (line: string) => void },
): Promise<void> {
  for (const command of commands) {
    stopWhenAborted(signal);
    const { code, stdout, stderr } = await run('sh', ['-c', command.line]);
    const wrong = code === 0 ? command.wrong(parseJson(stdout)) : `the command ended with ${code} ${stderr}`.trim();
    if (wrong !== undefined) {
      throw new TablewrightError('INTERNAL', `"${command.title}": ${wrong}.`, `It answered: ${stdout.slice(0, 2000)}`);
    }
    print(`As promised: ${command.title}`);
  }
}
