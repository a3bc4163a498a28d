import { sql } from 'kysely';
import type { ColumnType } from '../../descriptor/descriptor.js';
import type { Fragment } from './fragment.js';

/** What an operator's SQL is made of. The parameters have their casts already. */
export interface Operands {
  readonly value: Fragment;
  readonly type: ColumnType;
  readonly parameters: readonly [Fragment, Fragment];
}

export type Render<O extends Operands> = (operands: O) => Fragment;

export const suffix =
  (text: string): Render<Operands> =>
  ({ value }) =>
    sql`${value} ${sql.raw(text)}`;

/** The SQL of every operator of the operator table that a database has, by the operator's id. */
export class Operators<O extends Operands> {
  readonly #renderers: ReadonlyMap<string, Render<O>>;
  readonly ids: ReadonlySet<string>;

  constructor(renderers: Readonly<Record<string, Render<O>>>) {
    this.#renderers = new Map(Object.entries(renderers));
    this.ids = new Set(this.#renderers.keys());
  }

  /** The operation in parentheses. */
  render(id: string, operands: O): Fragment {
    const render = this.#renderers.get(id);
    if (render === undefined) throw new Error(`operator ${id} has no SQL`);
    return sql`(${render(operands)})`;
  }
}
