import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createJiti } from 'jiti';
import { UsageError, parseArguments } from './arguments.js';

/**
 * Runs suites with Jest: `npm test` the quick ones, `--all` all but soaks, `--soak` the soaks.
 * `--changed [COMMIT]` selects the suites that the work since a commit can reach (default: HEAD).
 * Other arguments are those of Jest.
 */
const root = fileURLToPath(new URL('../../../', import.meta.url));

process.exitCode = await main(process.argv.slice(2)).catch((error) => {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  return 2;
});

async function main(args) {
  const { config, changed, others } = parseArguments(args);
  const suites = changed === undefined ? [] : await reachedFrom(changed);
  if (suites === undefined) return 0;
  // Suites of other tiers install and browse: that takes more space than memory should give.
  const isInMemory = config === 'jest.config.js' && changed === undefined;
  return runJest(['--config', config, ...others, ...suites], isInMemory);
}

/** Arguments of Jest, and none for all suites; undefined when no suite is to run. */
async function reachedFrom(commit) {
  const { selectSuites } = await createJiti(import.meta.url).import('../reach/select.ts');
  const { changed, suites } = selectSuites(commit);
  const since = `${String(changed.length)} changed files since ${commit}`;
  if (suites === 'all') {
    console.log(`${since} can reach every suite.`);
    return [];
  }
  console.log(`${since} can reach ${String(suites.length)} suites of all tiers.`);
  return suites.length === 0 ? undefined : ['--passWithNoTests', '--runTestsByPath', ...suites];
}

/** @param isInMemory whether temporary files of suites may be in memory: see leaks/run.ts */
function runJest(args, isInMemory) {
  const jest = join(dirname(createRequire(import.meta.url).resolve('jest/package.json')), 'bin/jest.js');
  const child = spawn(process.execPath, ['--max-semi-space-size=64', jest, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, TEST_IN_MEMORY: String(isInMemory) },
  });
  // A terminal sends Ctrl-C to Jest as well. It ends its servers, and this process waits for that.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
