/** A table of random rows. `t` sorts by its bytes, so that JavaScript can sort it, too. */
export const thingsSql = `
  create schema lab;
  create table lab.things (
    id int primary key, n int, price numeric, t text collate "C", b boolean, tags text[] not null
  );`;

export interface Thing {
  readonly id: number;
  readonly n: number | null;
  readonly price: number | null;
  readonly t: string | null;
  readonly b: boolean | null;
  readonly tags: readonly string[];
}
