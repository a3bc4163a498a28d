import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The packages that bring `tsc`; the first is how TypeScript 7 stands beside an older one. */
const packages = ['@typescript/native', 'typescript'];

/**
 * The program `tsc` of a project, for Node.js to run: its version is the project's choice.
 * Undefined where the project has none. TypeScript 7 exports no `typescript/bin/tsc`, so the path
 * begins at a package.json.
 */
export function compilerPath(folder: string): string | undefined {
  const { resolve } = createRequire(join(folder, 'package.json'));
  for (const name of packages) {
    try {
      return join(dirname(resolve(`${name}/package.json`)), 'bin', 'tsc');
    } catch {
      // The next one, then.
    }
  }
  return undefined;
}
