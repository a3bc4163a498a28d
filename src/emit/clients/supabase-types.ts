import type { ColumnType, CompositeDescriptor, FunctionDescriptor, Kind, Model } from '@tablewright/runtime/model';
import { hardline, indent, type Doc } from '../source/doc.js';
import { propertyName, stringLiteral } from '../source/escape.js';

/** The types that Supabase's generator writes; every other one is unknown. */
const known: Readonly<Partial<Record<Kind, string>>> = {
  int: 'number',
  bigint: 'number',
  numeric: 'number',
  float: 'number',
  boolean: 'boolean',
  text: 'string',
  uuid: 'string',
  date: 'string',
  time: 'string',
  timestamp: 'string',
  bytes: 'string',
  vector: 'string',
  json: 'Json',
  jsonb: 'Json',
};

type Attributes = CompositeDescriptor['attributes'];

/** The types of values as Supabase's generator writes them. */
export class SupabaseTypes {
  constructor(private readonly model: Model) {}

  /** The composite types of a schema, by name: those that the database has a name for. */
  composites(schema: string): readonly (readonly [string, Attributes])[] {
    return this.model.composites
      .filter(({ descriptor }) => descriptor.schema === schema && descriptor.outputOnly !== true)
      .map(({ descriptor }) => [descriptor.name, descriptor.attributes]);
  }

  text(type: ColumnType): string {
    const { element } = type;
    if (type.kind === 'enum') {
      const found = this.model.enums.find(({ descriptor }) => descriptor.type === type.enum);
      return found === undefined ? 'string' : member(found.descriptor.schema, 'Enums', found.descriptor.name);
    }
    if (type.kind === 'composite') {
      const found = this.composite(type);
      return found === undefined ? 'unknown' : member(found.schema, 'CompositeTypes', found.name);
    }
    if (type.kind === 'array') return element === undefined ? 'unknown[]' : `${this.text(element)}[]`;
    return known[type.kind] ?? 'unknown';
  }

  nullable(type: ColumnType): string {
    const text = this.text(type);
    return text === 'unknown' ? text : `${text} | null`;
  }

  /** What a function answers. */
  result({ table, returns, record, columns, returnsSet }: FunctionDescriptor): Doc {
    const one = ((): Doc => {
      const rows = this.model.tables.find(({ descriptor }) => descriptor.field === table)?.descriptor;
      if (rows !== undefined) {
        return `${member(rows.schema, rows.kind === 'table' ? 'Tables' : 'Views', rows.name)}['Row']`;
      }
      const attributes = columns ?? (record === true && returns !== undefined ? this.composite(returns) : undefined);
      if (attributes !== undefined) return this.object('attributes' in attributes ? attributes.attributes : attributes);
      return returns === undefined ? 'undefined' : this.text(returns);
    })();
    return returnsSet === true ? [one, '[]'] : one;
  }

  private object(attributes: readonly { readonly name: string; readonly type: ColumnType }[]): Doc {
    const rows = attributes.map(({ name, type }) => [hardline, propertyName(name), ': ', this.text(type), ';']);
    return ['{', indent(rows), hardline, '}'];
  }

  private composite(type: ColumnType): CompositeDescriptor | undefined {
    return this.model.composites.find(({ descriptor }) => descriptor.type === type.composite)?.descriptor;
  }
}

const member = (schema: string, kind: string, name: string): string =>
  `Database[${stringLiteral(schema)}]['${kind}'][${stringLiteral(name)}]`;
