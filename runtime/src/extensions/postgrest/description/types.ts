import type { Catalog, TypeRef } from '../../../catalog/catalog.js';
import type { ColumnType } from '../../../descriptor/descriptor.js';
import type { Registry } from '../../../descriptor/registry.js';
import type { Settings } from '../../../settings/settings.js';

/** A JSON type of Swagger 2.0. Absent in a schema: any value. */
type SwaggerType = 'integer' | 'number' | 'boolean' | 'array' | 'string';

export type Schema = Readonly<Record<string, unknown>>;

/** A member that is absent where there is nothing to say. */
export const ifAny = (name: string, value: string | readonly string[]): Schema =>
  value.length === 0 ? {} : { [name]: value };

/** A JSON pointer in a fragment. Source: RFC 6901, 6. */
export const referenceTo = (group: 'definitions' | 'parameters', name: string): Schema => ({
  $ref: `#/${group}/${addressed(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`,
});

/** A name in an address. Letters that are not ASCII stay readable, as PostgREST has them. */
export const addressed = (name: string): string =>
  name.replaceAll(/[^\w.~!$&'()*+,;=:@\u0080-\uffff-]/g, (each) => encodeURIComponent(each));

/** What types are written by. */
export interface TypeContext {
  /** Where it cannot be read, types have the names that the descriptors know. */
  readonly catalog: Catalog | undefined;
  readonly enums: Registry['enums'];
  readonly settings: Pick<Settings, 'app.types.bigint' | 'app.types.numeric'>;
}

/**
 * The schema of a value: its JSON type, and its type in the database as the format, which PostgREST
 * has instead of the formats of OpenAPI, except for integers.
 * Source: https://docs.postgrest.org/en/stable/references/api/openapi.html;
 * https://spec.openapis.org/oas/v2.0.html#data-types
 * @param given the type in the catalogue
 */
export function schemaOf(type: ColumnType, given: TypeRef | undefined, context: TypeContext): Schema {
  const base = given && baseOf(given, context.catalog);
  const values = context.enums.get(type.enum ?? '')?.values.map(({ label }) => label);
  const json = jsonType(type, context);
  const length = longestOf(base);
  return {
    ...(json === undefined ? {} : { type: json }),
    format: json === 'integer' ? integerFormat(type) : formatOf(type, base, context.catalog),
    ...(type.element === undefined || json !== 'array' ? {} : { items: typeOf(type.element, context) }),
    ...(values === undefined ? {} : { enum: values }),
    ...(length === undefined ? {} : { maxLength: length }),
  };
}

/** A value in a query string: an array is a literal, and everything has a type. */
export function parameterOf(type: ColumnType, given: TypeRef | undefined, context: TypeContext): Schema {
  const { items, type: json, ...schema } = schemaOf(type, given, context);
  return { ...schema, type: items === undefined ? (json ?? 'string') : 'string' };
}

/** An argument that may be given several times. */
export const severalOf = (type: ColumnType, given: TypeRef | undefined, context: TypeContext): Schema => ({
  type: 'array',
  collectionFormat: 'multi',
  items:
    type.element === undefined ? { type: 'string' } : parameterOf(type.element, given && elementOf(given), context),
});

/**
 * The value of a default that is a constant; of a text also the expression, as PostgREST has it.
 * Undefined: there is none, or it is worked out.
 */
export function defaultOf(type: ColumnType, expression: string | null, context: TypeContext): unknown {
  if (expression === null) return undefined;
  const constant = /^'((?:[^']|'')*)'(?:::.*)?$/s.exec(expression)?.[1]?.replaceAll("''", "'");
  const json = jsonType(type, context);
  if (json === 'string') return constant ?? expression;
  if (json === 'array') return undefined;
  try {
    const value: unknown = JSON.parse(constant ?? expression);
    return json === undefined || typeof value === (json === 'integer' ? 'number' : json) ? value : undefined;
  } catch {
    return undefined;
  }
}

const typeOf = (type: ColumnType, context: TypeContext): Schema => {
  const json = jsonType(type, context);
  return json === undefined ? {} : { type: json };
};

function jsonType({ kind }: ColumnType, { settings }: TypeContext): SwaggerType | undefined {
  switch (kind) {
    case 'int':
      return 'integer';
    case 'bigint':
      return settings['app.types.bigint'] === 'string' ? 'string' : 'integer';
    case 'numeric':
      return settings['app.types.numeric'] === 'string' ? 'string' : 'number';
    case 'float':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array':
      return 'array';
    case 'json':
    case 'jsonb':
    case 'composite':
      return undefined;
    default:
      return 'string';
  }
}

/** The only ones that OpenAPI has for integers. */
const integerFormat = ({ kind }: ColumnType): string => (kind === 'bigint' ? 'int64' : 'int32');

/** The modifiers of the database's own types are left out: `timestamp(3) with time zone`. */
function formatOf({ sql }: ColumnType, base: TypeRef | undefined, catalog: Catalog | undefined): string {
  if (base === undefined) return `${sql.name}${sql.array === true ? '[]' : ''}`;
  const isOwn = catalog?.dialect !== 'postgres' || base.schema === 'pg_catalog';
  return isOwn ? base.formatted.replace(/\(.*\)/, '') : base.formatted;
}

/** Characters, or bits. */
function longestOf(base: TypeRef | undefined): number | undefined {
  const [, length] = /^(?:character varying|character|varchar|char|bit varying|bit)\((\d+)\)$/.exec(
    base?.formatted ?? '',
  ) ?? [undefined];
  return length === undefined ? undefined : Number(length);
}

const elementOf = (type: TypeRef): TypeRef => ({
  ...type,
  array: false,
  formatted: type.formatted.replace(/\[\]$/, ''),
});

/** The type under a domain, where it is one of the database's own. */
function baseOf(type: TypeRef, catalog: Catalog | undefined): TypeRef {
  if (type.kind !== 'domain' || type.array) return type;
  const domain = catalog?.domains.find(({ schema, name }) => schema === type.schema && name === type.name);
  const base = domain && baseOf(domain.base, catalog);
  return base?.schema === 'pg_catalog' ? base : type;
}
