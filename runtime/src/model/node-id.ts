import { aggregateField } from '../descriptor/names.js';
import type { TableDescriptor } from '../descriptor/descriptor.js';
import { TablewrightError } from '../tablewright-error.js';
import type { ComputedModel, TableModel } from './model.js';
import { isLegalName } from './names.js';
import type { ModelOptions } from '../descriptor/options.js';
import type { ScopedTable } from './scope.js';

/** The field of the global identifier where the configuration names none. */
const usual = 'nodeId';

type Fields = Pick<TableModel, 'columns' | 'relations'> & {
  readonly computed: readonly Pick<ComputedModel, 'field'>[];
};

/**
 * The field of a table with the global identifier of its rows; nothing without `relay`, or without
 * a key.
 * @throws TablewrightError NAME_COLLISION where another field of the table has the name,
 * CONFIG_INVALID where GraphQL does not allow it
 */
export function nodeIdOf(
  { relay }: ModelOptions,
  { key, primaryKey, rowKey }: ScopedTable,
  fields: Fields,
): Pick<TableDescriptor, 'nodeId'> {
  if (relay === undefined || (primaryKey === null && rowKey === null)) return {};
  const name = relay.nodeId ?? usual;
  if (!isLegalName(name))
    throw new TablewrightError(
      'CONFIG_INVALID',
      `relay.nodeId is ${JSON.stringify(name)}, which GraphQL does not allow as a name.`,
      'Use letters, digits and underscores, beginning with a letter; two underscores in front are reserved.',
    );
  const taken = fieldsOf(fields).get(name);
  if (taken === undefined) return { nodeId: name };
  throw new TablewrightError(
    'NAME_COLLISION',
    `${taken} of ${key} is the field ${name}, and relay.nodeId gives the global identifier of its rows the same name.`,
    `Choose another name: relay: { nodeId: '…' }. A column keeps its name unless rename gives it another.`,
  );
}

/** What each field of the table is, by its name. */
const fieldsOf = ({ columns, relations, computed }: Fields): ReadonlyMap<string, string> =>
  new Map([
    ...computed.map(({ field }) => [field, `The computed field ${field}`] as const),
    ...relations.flatMap(({ descriptor: { name, cardinality } }) => {
      const relation = `The relation ${name}`;
      return cardinality === 'many'
        ? [[name, relation] as const, [aggregateField(name), relation] as const]
        : [[name, relation] as const];
    }),
    ...columns.map(({ field, descriptor }) => [field, `The column ${descriptor.name}`] as const),
  ]);
