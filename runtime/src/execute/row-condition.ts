/**
 * A condition on the rows of a table, as GraphQL's `where` has it: `{ status: { neq: 'done' }, or:
 * [ … ] }`.
 */
export type RowCondition = Readonly<Record<string, unknown>>;
