import {
  type ColumnType,
  type Dialect,
  type FilterModel,
  type Model,
  type ValueType,
  inputType,
  one,
  vocabulary,
} from '@tablewright/runtime/model';
import { typeText as fieldText } from '../graphql/classes.js';
import type { Scope } from '../graphql/modules.js';
import { hardline, join, type Doc } from '../source/doc.js';
import { call, string } from '../source/typescript.js';
import { representative, typeExpression } from '../vocabulary.js';

/** The shared filter inputs, each as a value and as the type of its values. */
export function filterDocs(scope: Scope, { filters }: Model): Doc {
  const shared = filters.filter((filter) => filter.table === null);
  return join(
    hardline,
    shared.map((filter) => filterDoc(scope, filter)),
  );
}

function filterDoc(scope: Scope, { name, type }: FilterModel): Doc {
  const { imports } = scope;
  const helper = `${imports.runtime('filterInput')}<${filterText(scope, type)}>`;
  return [
    [
      `export const ${name} = `,
      call(helper, [string(name), typeExpression(canonical(type, imports.dialect), imports)]),
      ';',
    ],
    [hardline, `export type ${name} = InstanceType<typeof ${name}>;`],
  ];
}

/**
 * One type for all types that share the filter, so that the file does not change when a column of
 * another of these types comes first.
 */
function canonical(type: ValueType, dialect: Dialect): ColumnType {
  if (type.kind === 'array' && type.element !== undefined) return vocabulary.arrayOf(canonical(type.element, dialect));
  const shared = representative(type.kind, dialect);
  if (shared !== undefined) return shared;
  if (!isColumnType(type)) throw new TypeError(`A filter of the kind ${type.kind} has no type in the database.`);
  return type;
}

const isColumnType = (type: ValueType): type is ColumnType => 'sql' in type;

/** The TypeScript type of the filter input's values, from filter-types.ts of the runtime. */
function filterText(scope: Scope, type: ValueType): string {
  const generic = (name: string, ...parameters: readonly ValueType[]): string => {
    const texts = parameters.map((parameter) => valueText(scope, parameter));
    return scope.imports.runtime(name) + (texts.length === 0 ? '' : `<${texts.join(', ')}>`);
  };
  const { kind, element = type } = type;
  switch (kind) {
    case 'text':
      return generic('TextFilter');
    case 'json':
    case 'jsonb':
      return generic('JsonFilter');
    case 'tsvector':
      return generic('SearchFilter');
    case 'vector':
      return generic('NullFilter');
    case 'composite':
      return generic('CompositeFilter', type);
    case 'array':
      return generic('ArrayFilter', element);
    case 'range':
      return generic('RangeFilter', type, element);
    case 'boolean':
    case 'bytes':
    case 'enum':
    case 'other':
      return generic('EqualityFilter', type);
    default:
      return generic('OrderFilter', type);
  }
}

function valueText(scope: Scope, type: ValueType): string {
  const { name, depth } = inputType(type);
  return fieldText(scope, { ...one('value', name), depth });
}
