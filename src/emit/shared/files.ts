import { type ClassDefinition, type Model, rangeTypes, sharedFilters } from '@tablewright/runtime/model';
import { classOf } from '../graphql/classes.js';
import { Scope } from '../graphql/modules.js';
import type { EmitContext } from '../context.js';
import { Imports, printFile } from '../source/file.js';
import type { Doc } from '../source/doc.js';
import { filterDocs } from './filters.js';

/** The definitions of each file in `shared/`, by its name; empty files are omitted. */
export function sharedDefinitions(model: Model): ReadonlyMap<string, readonly ClassDefinition[]> {
  const files = new Map<string, readonly ClassDefinition[]>([
    ['filters', sharedFilters(model)],
    ['ranges', model.ranges.flatMap(rangeTypes)],
  ]);
  return new Map([...files].filter(([, definitions]) => definitions.length > 0));
}

const sources: Readonly<Record<string, string>> = {
  filters: 'the operators of the column types in use',
  ranges: 'the range types in use',
};

/** `shared/filters.ts`, `shared/ranges.ts`. */
export function emitShared(context: EmitContext): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const name of sharedDefinitions(context.model).keys()) {
    const imports = new Imports(context.model.dialect);
    const scope = new Scope(context.homes, `shared/${name}`, imports);
    files.set(`shared/${name}.ts`, printFile(sources[name] ?? name, imports, partsOf(scope, context.model, name)));
  }
  return files;
}

function partsOf(scope: Scope, model: Model, file: string): readonly Doc[] {
  if (file === 'filters') return [filterDocs(scope, model)];
  return model.ranges.flatMap(rangeTypes).map((definition) => classOf(scope, definition));
}
