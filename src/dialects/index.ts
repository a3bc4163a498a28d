import type { Dialect } from '@tablewright/runtime/model';
import type { ToolDialect } from './dialect.js';
import { mysql } from './mysql.js';
import { postgres } from './postgres.js';

/** Every kind of database that the tool speaks with. */
export const dialects: Readonly<Record<Dialect, ToolDialect>> = { postgres, mysql };

/** The kind of database of an address: PostgreSQL where it says nothing. */
export const dialectOf = (url: string | undefined): ToolDialect =>
  Object.values(dialects).find((each) => url !== undefined && each.speaks(url)) ?? postgres;

/** The files of new projects that are not for every kind of database. */
export const filesOfOneDialect: ReadonlySet<string> = new Set(
  Object.values(dialects).flatMap(({ files }) => Object.keys(files)),
);
