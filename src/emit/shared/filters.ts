import { type FilterModel, type Model, type ValueType, inputType, one } from '@tablewright/runtime/model';
import { typeText as fieldText } from '../graphql/classes.js';
import type { Scope } from '../graphql/modules.js';
import { group, hardline, indent, join, line, type Doc } from '../source/doc.js';
import { call, string } from '../source/typescript.js';

/** The shared filter inputs, each as a value and as the type of its values. */
export function filterDocs(scope: Scope, { filters }: Model): Doc {
  const shared = filters.filter((filter) => filter.table === null);
  return join(
    hardline,
    shared.map((filter) => filterDoc(scope, filter)),
  );
}

/** A filter input: a name for it in the user's decorators, and the type of its values. */
export function filterDoc(scope: Scope, { name, type }: FilterModel): Doc {
  const made = call(`${scope.imports.runtime('filterInput')}<${filterText(scope, type)}>`, [string(name)]);
  // Prettier breaks the line before a call with a short argument, and otherwise inside it.
  const value: Doc = name.length <= shortName ? group(indent([line, made])) : [' ', made];
  return [
    [`export const ${name} =`, value, ';'],
    [hardline, `export type ${name} = InstanceType<typeof ${name}>;`],
  ];
}

/** Length of the longest name that, in quotes, has a quarter of the line's length. */
const shortName = 28;

/** The TypeScript type of the filter input's values, from filter-types.ts of the runtime. */
function filterText(scope: Scope, type: ValueType): string {
  const generic = (name: string, ...parameters: readonly ValueType[]): string => {
    const texts = parameters.map((parameter) => valueText(scope, parameter));
    return scope.imports.runtime(name) + (texts.length === 0 ? '' : `<${texts.join(', ')}>`);
  };
  const { kind, element = type } = type;
  switch (kind) {
    case 'text':
      return generic(type.searchable === true ? 'SearchableTextFilter' : 'TextFilter');
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
