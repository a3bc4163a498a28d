/** `root@127.0.0.1` as information_schema writes it: `'root'@'127.0.0.1'`. */
export function grantee(user: string): string {
  const at = user.lastIndexOf('@');
  return at === -1 ? `'${user}'@''` : `'${user.slice(0, at)}'@'${user.slice(at + 1)}'`;
}

/**
 * The roles that `current_role()` names: `clerk` on MariaDB, and on MySQL `NONE` or a list such as
 * `` `clerk`@`%`,`boss`@`%` ``.
 */
export function rolesOf(current: string): readonly string[] {
  if (current === '' || current === 'NONE') return [];
  if (!current.startsWith('`')) return [current];
  return [...current.matchAll(/`((?:[^`]|``)*)`@`((?:[^`]|``)*)`/g)].map(([, name = '', host = '']) =>
    `${name}@${host}`.replaceAll('``', '`'),
  );
}

/** The schema of a grant is a LIKE pattern: `shop\_%`. */
export function likePattern(pattern: string): RegExp {
  const source = pattern.replace(/\\([%_])|([%_])|([.*+?^${}()|[\]\\])/g, (_, escaped, wild, special) => {
    if (typeof escaped === 'string') return escaped;
    if (typeof wild === 'string') return wild === '%' ? '.*' : '.';
    return `\\${String(special)}`;
  });
  return new RegExp(`^${source}$`, 's');
}
