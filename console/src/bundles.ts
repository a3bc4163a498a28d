import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { compress, type Answer } from '@tablewright/runtime/console';

/**
 * Third-party programs that pages load. `bundles/build.js` of the repository compresses them once:
 * a quarter of the bytes in the package, and on the way to a browser.
 */
const folder = new URL('../browser/', import.meta.url);

const decompress = promisify(brotliDecompress);

/**
 * The names of files. They contain no slash, so that no request reads a file outside the folder.
 */
const names = /^[A-Za-z0-9-]+\.[a-z]+$/;

const types: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css' };

/**
 * A bundle by its name, such as `swagger-ui.js`; undefined if there is none.
 * @param base the folder of the bundles
 */
export async function bundle(name: string, base: URL = folder): Promise<Answer | undefined> {
  const type = types[name.split('.').at(-1) ?? ''];
  if (type === undefined || !names.test(name)) return undefined;
  let bytes: Buffer;
  try {
    bytes = await readFile(new URL(`${name}.br`, base));
  } catch {
    return undefined;
  }
  const body = await decompress(bytes);
  return {
    status: 200,
    headers: { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-cache' },
    body,
    compressed: async (coding) => (coding === 'br' ? bytes : compress(body, coding)),
    tagged: true,
  };
}
