import type { ColumnType, CompositeDescriptor } from '../../../descriptor/descriptor.js';
import { malformed } from '../../malformed.js';

type EncodeAttribute = (type: ColumnType, value: unknown) => string | null;

/**
 * The row literal of a JSON object, `("a","b",)`: attributes by their GraphQL or database name; an
 * absent attribute is null.
 * Source: https://www.postgresql.org/docs/current/rowtypes.html#ROWTYPES-IO-SYNTAX
 */
export function writeComposite(value: object, composite: CompositeDescriptor, encode: EncodeAttribute): string {
  const given = new Map<string, unknown>(Object.entries(value));
  const fields = composite.attributes.map(({ name, field, type }) => {
    const key = field !== undefined && given.has(field) ? field : name;
    const attribute = given.get(key);
    given.delete(key);
    const text = attribute === undefined || attribute === null ? null : encode(type, attribute);
    return text === null ? '' : `"${text.replace(/["\\]/g, '$&$&')}"`;
  });
  const [unknown] = given.keys();
  if (unknown !== undefined) throw malformed(`${composite.type} has no attribute "${unknown}".`);
  return `(${fields.join(',')})`;
}
