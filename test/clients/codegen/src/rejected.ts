import type { DocumentType } from './gql/index.js';
import type {
  KanbanIssueStatus,
  KanbanIssuesCreateInput,
  KanbanIssuesWhereInput,
  KanbanIssuesOrderByInput,
} from './gql/graphql.js';
import type { bugs } from './bugs.js';

/**
 * Code that must not compile: each line is an error, and tsc reports the comment above a line
 * without an error as unused.
 */

// @ts-expect-error -- no member of the enum
export const status: KanbanIssueStatus = 'finished';

// @ts-expect-error -- no such column
export const column: KanbanIssuesWhereInput = { titel: { eq: 'x' } };

// @ts-expect-error -- a number has no such operator
export const operator: KanbanIssuesWhereInput = { story_points: { contains: 3 } };

// @ts-expect-error -- a value of another type
export const value: KanbanIssuesWhereInput = { story_points: { eq: 'three' } };

// @ts-expect-error -- no direction
export const order: KanbanIssuesOrderByInput = { title: 'UP' };

// @ts-expect-error -- title and number are required
export const row: KanbanIssuesCreateInput = { project_id: 1 };

// @ts-expect-error -- generated always: not written
export const generated: KanbanIssuesCreateInput = { number: 1, title: 'x', search_vector: 'x' };

declare const answer: DocumentType<typeof bugs>;

// @ts-expect-error -- not selected
export const unselected: unknown = answer.kanbanIssues[0]?.description;

// @ts-expect-error -- a to-one relation may be hidden by a policy
export const hidden: string = answer.kanbanIssues[0]?.kanbanProjectId.key;
