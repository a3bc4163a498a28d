import { graphql, type ResultOf, type VariablesOf } from './graphql.js';

/**
 * Code that must not compile: each line is an error, and tsc reports the comment above a line
 * without an error as unused.
 */

const issues = graphql(`
  query Issues($status: KanbanIssueStatus!, $where: KanbanIssuesWhereInput!, $id: BigInt) {
    kanbanIssues(where: { status: { eq: $status }, and: [$where] }) {
      title
      kanbanProjectId {
        key
      }
    }
    shopProducts(where: { id: { eq: $id } }) {
      id
    }
  }
`);

type Variables = VariablesOf<typeof issues>;
declare const answer: ResultOf<typeof issues>;

// @ts-expect-error -- no member of the enum
export const status: Variables = { status: 'finished' };

// @ts-expect-error -- no such column
export const column: Variables = { status: 'todo', where: { titel: { eq: 'x' } } };

// @ts-expect-error -- a 64-bit integer is text
export const big: Variables = { status: 'todo', id: 1 };

// @ts-expect-error -- a variable that is required
export const missing: Variables = {};

// @ts-expect-error -- not selected
export const unselected: unknown = answer.kanbanIssues[0]?.description;

// @ts-expect-error -- a to-one relation may be hidden by a policy
export const hidden: string = answer.kanbanIssues[0]?.kanbanProjectId.key;

const wrong = graphql(`
  {
    kanbanIssues {
      nothing
    }
  }
`);

// @ts-expect-error -- no such field
export const nothing: string = ({} as ResultOf<typeof wrong>).kanbanIssues[0]?.nothing;
