import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformSync, version } from '@swc/core';
import { compilerOptions } from './compiler-options.js';
import { runtimeSources } from '../package-sources.js';
import { mapName } from './map-name.cjs';

/**
 * Hooks of Node's loader: TypeScript, the runtime as sources, Jest's globals. The console is always
 * the built one: its pages load compiled modules.
 * They do not wait for anything, so both ways to register hooks take them (hooks.js).
 */

const root = new URL('../../../', import.meta.url);
const maps = new URL('.tmp/jest-maps/', root);
mkdirSync(maps, { recursive: true });

const options = JSON.stringify([version, compilerOptions]);
/** Generated projects, whose folder no other suite has. */
const isPassing = /\/out\//;

const globals = 'jest-globals:';
const namesOfGlobals = ['afterAll', 'afterEach', 'beforeAll', 'beforeEach', 'describe', 'expect', 'it', 'jest', 'test'];

export function resolve(specifier, context, next) {
  const found = (url) => ({ url, shortCircuit: true });
  if (Object.hasOwn(runtimeSources, specifier)) return found(runtimeSources[specifier]);
  // A module of its own for each importing suite: each suite has other globals.
  if (specifier === '@jest/globals') return found(`${globals}${context.parentURL}`);
  if (/^\.{1,2}\/.*\.js$/.test(specifier) && context.parentURL?.startsWith('file:')) {
    const url = new URL(specifier.replace(/js$/, 'ts'), context.parentURL);
    // A suite that runs another suite in its own way defines those tests again.
    if (specifier.endsWith('.test.js')) url.search = encodeURIComponent(context.parentURL);
    if (existsSync(fileURLToPath(url))) return found(url.href);
  }
  return next(specifier, context);
}

export function load(url, context, next) {
  const module = (source) => ({ format: 'module', source, shortCircuit: true });
  if (url.startsWith(globals)) return module(`export const { ${namesOfGlobals.join(', ')} } = globalThis;`);
  if (!url.startsWith('file:') || !new URL(url).pathname.endsWith('.ts')) return next(url, context);
  const filename = fileURLToPath(url);
  const text = readFileSync(filename, 'utf8');
  const mapFile = new URL(mapName(url), maps);
  // The code of an unchanged module is kept for other workers and later runs. It ends with this line.
  const last = `// ${createHash('sha1').update(options).update(text).digest('hex')}`;
  const codeFile = new URL(`${mapFile.href}.js`);
  const kept = existsSync(codeFile) ? readFileSync(codeFile, 'utf8') : '';
  if (kept.endsWith(last)) return module(kept);
  const { code, map } = transformSync(text, { ...compilerOptions, filename, sourceMaps: true });
  writeFileSync(mapFile, map);
  const source = `${code}\n//# sourceMappingURL=${mapFile.href}\n${last}`;
  if (!isPassing.test(url)) writeFileSync(codeFile, source);
  return module(source);
}
