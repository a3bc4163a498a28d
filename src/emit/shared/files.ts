import type { ClassDefinition } from '../graphql/definition.js';
import { classOf } from '../graphql/classes.js';
import { Scope } from '../graphql/modules.js';
import { rangeTypes, sharedFilters } from '../graphql/shared.js';
import type { EmitContext } from '../context.js';
import { Imports, printFile } from '../source/file.js';
import type { Model } from '../../model/model.js';

/** The definitions of each file in `shared/`, by its name; files that would be empty are not there. */
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
  for (const [name, definitions] of sharedDefinitions(context.model)) {
    const imports = new Imports();
    const scope = new Scope(context.homes, `shared/${name}`, imports);
    const classes = definitions.map((definition) => classOf(scope, definition));
    files.set(`shared/${name}.ts`, printFile(sources[name] ?? name, imports, classes));
  }
  return files;
}
