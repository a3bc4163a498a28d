/**
 * A copy as JSON would make it: objects with `toJSON` are what that answers, and a bigint is its
 * text. JSON drops or empties everything else that it does not have, and a filter without its value
 * matches more rows: that is refused.
 *
 *     plainCopy({ at: { gt: new Date(0) } }, refuse)     { at: { gt: '1970-01-01T00:00:00.000Z' } }
 *     plainCopy({ id: { eq: () => 7 } }, refuse)         throws refuse('id.eq is a function')
 */
export const plainCopy = (value: unknown, refuse: (what: string) => Error): unknown =>
  copied(value, '', refuse, maxDepth);

/** Deeper conditions are taken for circular ones. */
const maxDepth = 100;

function copied(
  value: unknown,
  place: string,
  refuse: (what: string) => Error,
  depth: number,
  isJson = false,
): unknown {
  const refused = (what: string): Error => refuse(`${place === '' ? 'it' : place} is ${what}`);
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (Number.isFinite(value)) return value;
      throw refused(String(value));
    case 'bigint':
      return String(value);
    case 'object':
      break;
    case 'undefined':
      throw refused('undefined');
    default:
      throw refused(`a ${typeof value}`);
  }
  if (value === null) return null;
  if (depth === 0) throw refused('nested too deeply');
  if (!isJson && hasJson(value)) return copied(value.toJSON(), place, refuse, depth - 1, true);
  // Not `map`, which passes over the holes of a list.
  if (Array.isArray(value))
    return Array.from(value, (each, at) => copied(each, `${place}[${String(at)}]`, refuse, depth - 1));
  if (!isPlain(value)) throw refused(`no plain object${classOf(value)}`);
  if (Object.getOwnPropertySymbols(value).length > 0) throw refused('an object with a symbol for a name');
  const dot = place === '' ? '' : `${place}.`;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, copied(each, dot + name, refuse, depth - 1)]),
  );
}

const hasJson = (value: object): value is { toJSON: () => unknown } =>
  'toJSON' in value && typeof value.toJSON === 'function';

/** Maps, promises and the like have their content elsewhere than in members. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

const classOf = ({ constructor }: object): string =>
  typeof constructor === 'function' ? `, but a ${constructor.name}` : '';
