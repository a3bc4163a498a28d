import { quoted } from '../quote.js';
import type { Subject } from '../subject.js';

/** A role for the server that owns nothing and bypasses nothing. */
export function plainRole({ catalog }: Subject): readonly string[] {
  const role = quoted('tablewright_server');
  return [
    `create role ${role} login nosuperuser nobypassrls nocreaterole nocreatedb;`,
    ...catalog.schemas.flatMap(({ name }) => [
      `grant usage on schema ${quoted(name)} to ${role};`,
      `grant select, insert, update, delete on all tables in schema ${quoted(name)} to ${role};`,
      `grant usage on all sequences in schema ${quoted(name)} to ${role};`,
    ]),
  ];
}
