import type { SchemaNames } from '../../schema-names.js';
import { quoted } from '../quoted.js';
import type { Row } from './row.js';

/** Members of rows that are expressions or statements of SQL. */
const expressions: ReadonlySet<string> = new Set(['definition', 'clause', 'default', 'expression']);

/**
 * A row of the catalogue with the name of the schema instead of that of its database: equal
 * databases of other names have equal catalogues.
 * @param member has the name of the row's own database
 */
export const inSchema = (row: Row, member: string, databases: SchemaNames): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, given]) => {
      const value = Buffer.isBuffer(given) ? given.toString() : given;
      if (typeof value !== 'string') return [name, value];
      if (name === member || name === 'target_schema') return [name, databases.schemaOf(value)];
      return [name, expressions.has(name) ? rewritten(value, databases) : value];
    }),
  );

/** Names stand in backticks, with the database before a dot. Texts are left as they are. */
const rewritten = (sql: string, { schemaOf }: SchemaNames): string =>
  sql.replace(/'(?:[^'\\]|''|\\[\s\S])*'|`((?:[^`]|``)*)`\./g, (found, name?: string) =>
    name === undefined ? found : `${quoted(schemaOf(name.replaceAll('``', '`')))}.`,
  );
