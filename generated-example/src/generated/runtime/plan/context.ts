import type { Registry, Table } from '../registry.js';
import type { Settings } from '../settings.js';
import type { Style } from '../statement/plan.js';

/** What planning needs to know besides the intent. */
export interface PlanContext {
  readonly registry: Registry;
  readonly settings: Pick<Settings, 'app.max-rows' | 'app.types.bigint' | 'app.types.numeric'>;
}

export function styleOf(dialect: 'graphql' | 'rest', { settings }: PlanContext): Style {
  const bigint = settings['app.types.bigint'];
  const auto = dialect === 'graphql' ? 'string' : 'number';
  return {
    bigint: bigint === 'auto' ? auto : bigint,
    numeric: settings['app.types.numeric'],
    enums: dialect === 'graphql' ? 'name' : 'label',
    attributes: dialect === 'graphql' ? 'field' : 'name',
  };
}

export const tableName = (table: Table): { readonly schema: string; readonly name: string } => ({
  schema: table.schema,
  name: table.name,
});
