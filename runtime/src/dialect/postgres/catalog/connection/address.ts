import { decodes, encodingHint, isCertainAddress, shownAddress } from '../../../../certain-address.js';
import { TablewrightError } from '../../../../tablewright-error.js';

/** The parsed `--url`, by its scheme. */
export type Address =
  | { readonly kind: 'postgres'; readonly url: string; readonly display: string }
  | { readonly kind: 'pglite'; readonly folder: string; readonly display: string };

const forms =
  'Write postgres://user:password@host:5432/database, pglite:FOLDER or mysql://user:password@host:3306/database.';

const noHost = 'no-host.invalid';

/**
 * Reads a database address. No message repeats it: an unreadable address may hold a password
 * anywhere.
 * @throws TablewrightError USAGE if it cannot be read, DATABASE_UNSUPPORTED for another kind of
 * database
 */
export function parseAddress(text: string): Address {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();
  if (scheme === 'pglite') return pgliteAddress(text.slice('pglite:'.length));
  if (scheme === 'postgres' || scheme === 'postgresql') return postgresAddress(text);
  // A single letter is a Windows drive, and `host:5432/database` has a scheme only by its looks.
  if (scheme !== undefined && text.includes('://')) {
    throw new TablewrightError('DATABASE_UNSUPPORTED', `Databases of the kind "${scheme}" cannot be read.`, forms);
  }
  throw new TablewrightError('USAGE', 'The database address has no scheme, such as postgres://.', forms);
}

function pgliteAddress(folder: string): Address {
  const path = folder.replace(/^\/\/(?=.)/, '');
  if (path === '') throw new TablewrightError('USAGE', 'The address pglite: names no folder.', forms);
  return { kind: 'pglite', folder: path, display: `pglite:${path}` };
}

function postgresAddress(text: string): Address {
  const url = parseUrl(text);
  if (url === undefined || !isCertainAddress(text) || !decodes(url))
    throw new TablewrightError('USAGE', 'The database address cannot be read.', `${forms} ${encodingHint}`);
  return { kind: 'postgres', url: text, display: shownAddress(url).replace(`@${noHost}/`, '@/') };
}

/**
 * node-postgres also accepts `user@/database?host=/socket/folder`, which is no URL because it has
 * no host. It inserts a host, and so does this function.
 */
function parseUrl(text: string): URL | undefined {
  if (URL.canParse(text)) return new URL(text);
  const withHost = text.replace('@/', `@${noHost}/`);
  return URL.canParse(withHost) ? new URL(withHost) : undefined;
}
