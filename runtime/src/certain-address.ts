/** Parameters of an address that messages may show. All others may hold, or lead to, a secret. */
const shownParameters = new Set(['host', 'port', 'user', 'dbname', 'sslmode', 'application_name', 'connect_timeout']);

/**
 * Whether an address can be read in one way only. A raw `/`, `?` or `#` in a password ends the part
 * it is in: `postgres://u:top@secret/x@host/db` would name the host `secret`. Such an address is
 * neither used nor shown.
 *
 *     isCertainAddress('postgres://u:top%40secret%2Fx@host/db')   // true
 *     isCertainAddress('postgres://u:top@secret/x@host/db')       // false
 */
export function isCertainAddress(text: string): boolean {
  const [, authority, rest = ''] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)(.*)$/is.exec(text) ?? [];
  return authority !== undefined && !rest.includes('@') && !rest.includes('#');
}

/** Whether the parts of an address can be decoded, each by itself. */
export function decodes({ username, password, pathname }: URL): boolean {
  try {
    [username, password, pathname].map(decodeURIComponent);
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether clients can read an address at all: their own errors name neither the setting nor the
 * part that is wrong. Only node-postgres takes a bare `%` for itself.
 */
export function isReadableAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return /^postgres(ql)?:$/.test(url.protocol) || decodes(url);
}

/** After the host of a Redis there is at most the number of a database. */
export const isBrokerAddress = (text: string): boolean =>
  isReadableAddress(text) && (!/^rediss?:/.test(text) || /^\/?\d*$/.test(new URL(text).pathname));

/** An address without its secrets, for messages. */
export function shownAddress(url: URL): string {
  const shown = new URL(url.href);
  shown.password = '';
  shown.hash = '';
  // Deleting rewrites the whole query, also when there is nothing to delete.
  for (const name of [...shown.searchParams.keys()])
    if (!shownParameters.has(name.toLowerCase())) shown.searchParams.delete(name);
  return shown.href;
}

/** What to do about an address that `isCertainAddress` refuses. */
export const encodingHint =
  'In a user name, a password or a parameter write @ as %40, : as %3A, / as %2F, # as %23, ? as %3F and % as %25.';
