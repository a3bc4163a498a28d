import type { TableDescriptor } from '../../../../runtime/src/descriptor/descriptor.js';
import { arrayOf, bool, int4, numeric, text } from '../../../../runtime/src/dialect/postgres/types.js';

/** A table of random rows. `t` sorts by its bytes, so that JavaScript can sort it, too. */
export const thingsSql = `
  create schema lab;
  create table lab.things (
    id int primary key, n int, price numeric, t text collate "C", b boolean, tags text[] not null
  );`;

export const things: TableDescriptor = {
  field: 'labThings',
  type: 'LabThings',
  schema: 'lab',
  name: 'things',
  kind: 'table',
  columns: [
    { name: 'id', type: int4 },
    { name: 'n', type: int4, nullable: true },
    { name: 'price', type: numeric, nullable: true },
    { name: 't', type: text, nullable: true },
    { name: 'b', type: bool, nullable: true },
    { name: 'tags', type: arrayOf(text) },
  ],
  primaryKey: { name: 'things_pkey', columns: ['id'] },
};

export interface Thing {
  readonly id: number;
  readonly n: number | null;
  readonly price: number | null;
  readonly t: string | null;
  readonly b: boolean | null;
  readonly tags: readonly string[];
}
