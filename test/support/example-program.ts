import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { repository, transpile, type Transpiled } from './transpile.js';

/** The committed example, made runnable with `node dist/main.js` in its folder. */
export async function buildExample(): Promise<Transpiled> {
  const program = await transpile({ 'generated-example/src': 'dist' });
  for (const name of ['openapi.json', 'catalog.json']) {
    const path = join('src/generated', name);
    await cp(join(repository, 'generated-example', path), join(program.folder, path));
  }
  return program;
}
