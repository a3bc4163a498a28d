import type { components, operations } from './api.js';

/**
 * Code that must not compile: each line is an error, and tsc reports the comment above a line
 * without an error as unused.
 */

type Schemas = components['schemas'];
type Query<Operation extends keyof operations> = NonNullable<operations[Operation]['parameters']['query']>;

// @ts-expect-error -- no member of the enum
export const status: Schemas['KanbanIssueStatus'] = 'finished';

// @ts-expect-error -- no such column
export const column: Query<'kanbanIssues'> = { titel: 'eq.x' };

// @ts-expect-error -- a filter is a text: an operator and a value
export const filter: Query<'kanbanIssuesDelete'> = { id: 1 };

// @ts-expect-error -- PUT takes the key and nothing else
export const key: Query<'kanbanIssuesReplace'> = { title: 'eq.x' };

// @ts-expect-error -- rows that are inserted are not filtered
export const inserted: Query<'kanbanIssuesInsert'> = { id: 'eq.1' };

// @ts-expect-error -- another schema's header
export const schema: operations['kanbanIssues']['parameters']['header'] = { 'Accept-Profile': 'shop' };

// @ts-expect-error -- number and title are required
export const row: Schemas['KanbanIssues.Insert'] = { project_id: 1 };

// @ts-expect-error -- generated always: not written
export const generated: Schemas['KanbanIssues.Update'] = { search_vector: 'x' };

// @ts-expect-error -- not null
export const nothing: Schemas['KanbanIssues.Update'] = { title: null };

declare const read: Schemas['KanbanIssues'];

// @ts-expect-error -- may be null
export const due: string = read.due_on;
