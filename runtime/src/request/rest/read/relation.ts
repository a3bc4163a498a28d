import { relationIn } from '../../../descriptor/relation-in.js';
import type { Registry, Table } from '../../../descriptor/registry.js';
import type { ReadForm } from './read-form.js';
import type { Relation } from './relation-way.js';

/** The relation that `name` or `name!hint` embeds in a form of REST. Throws ServerError 400. */
export function resolveRelation(
  table: Table,
  name: string,
  hint: string | undefined,
  { registry, form }: { readonly registry: Registry; readonly form: ReadForm },
): Relation {
  const all = [...(table.relations ?? []), ...(table.embedded ?? [])].flatMap((relation) => {
    const other = registry.table.get(relation.table);
    const isHidden = relation.onlyInPostgrest === true && form.repeatedColumns === 'once';
    return other === undefined || isHidden ? [] : [{ descriptor: relationIn(relation, form), table: other }];
  });
  return form.relation({ table, name, hint, all, registry });
}
