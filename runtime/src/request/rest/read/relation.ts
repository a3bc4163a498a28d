import { relationIn } from '../../../descriptor/relation-in.js';
import type { Registry, Table } from '../../../descriptor/registry.js';
import { intentForms, type RestDialect } from '../grammar/intent-forms.js';
import { ownRelation } from './own-relation.js';
import { postgrestRelation } from './postgrest-relation.js';
import type { Relation } from './relation-way.js';

/** The relation that `name` or `name!hint` embeds in a form of REST. Throws ServerError 400. */
export function resolveRelation(
  table: Table,
  name: string,
  hint: string | undefined,
  { registry, dialect }: { readonly registry: Registry; readonly dialect: RestDialect },
): Relation {
  const all = [...(table.relations ?? []), ...(table.embedded ?? [])].flatMap((relation) => {
    const other = registry.table.get(relation.table);
    const isHidden = relation.onlyInPostgrest === true && dialect !== 'postgrest';
    return other === undefined || isHidden
      ? []
      : [{ descriptor: relationIn(relation, intentForms[dialect]), table: other }];
  });
  const sought = { table, name, hint, all, registry };
  return dialect === 'postgrest' ? postgrestRelation(sought) : ownRelation(sought);
}
