import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { GraphqlServer } from '../../support/graphql-server.js';
import { startBoardServer } from './support/board.js';

/**
 * Filters that lose parts: variables that are not given, and members that JSON leaves out because
 * their value is undefined. Each is refused, or finds the rows that its remaining parts find.
 */
interface Row {
  readonly id: number;
  readonly project_id: number;
}

/** A filter before it loses the parts that are undefined. */
interface Tree {
  readonly id?: Operators | undefined;
  readonly project_id?: Operators | undefined;
  readonly kanbanProjectId?: Tree | undefined;
  readonly and?: readonly Tree[] | undefined;
  readonly or?: readonly Tree[] | undefined;
  readonly not?: Tree | undefined;
}

interface Operators {
  readonly eq?: number | undefined;
  readonly gt?: number | undefined;
}

const variableTypes: Readonly<Record<string, string>> = {
  id: 'IntFilterInput',
  project_id: 'IntFilterInput',
  kanbanProjectId: 'KanbanProjectsWhereInput',
  and: '[KanbanIssuesWhereInput!]',
  or: '[KanbanIssuesWhereInput!]',
  not: 'KanbanIssuesWhereInput',
  eq: 'Int',
  gt: 'Int',
};

const number = fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined, freq: 4 });
const operators = fc.option(fc.record({ eq: number, gt: number }, { requiredKeys: [] }), { nil: undefined, freq: 3 });
const ofProject = fc.option(fc.record({ id: operators }, { requiredKeys: [] }), { nil: undefined, freq: 3 });

function treeOf(depth: number): fc.Arbitrary<Tree> {
  const own = { id: operators, project_id: operators, kanbanProjectId: ofProject };
  if (depth === 0) return fc.record(own, { requiredKeys: [] });
  const inner = treeOf(depth - 1);
  const list = fc.option(fc.array(inner, { maxLength: 2 }), { nil: undefined });
  const not = fc.option(inner, { nil: undefined });
  return fc.record({ ...own, and: list, or: list, not }, { requiredKeys: [] });
}

const rows: readonly Row[] = [
  { id: 1, project_id: 1 },
  { id: 2, project_id: 1 },
  { id: 3, project_id: 1 },
  { id: 4, project_id: 2 },
  { id: 5, project_id: 2 },
];

const given = (part: object): [string, unknown][] =>
  Object.entries(part).filter(([, value]: [string, unknown]) => value !== undefined);

/** Whether a part inside a filter says nothing, as it is sent. */
function isEmptied(part: Tree, inner: boolean, isLiteral: boolean): boolean {
  const left = given(part);
  if (inner && left.length === 0) return true;
  return left.some(([name, value]) => {
    if (name === 'and' || name === 'or') return (value as Tree[]).some((each) => isEmptied(each, true, isLiteral));
    if (name === 'not') return isEmptied(value as Tree, true, isLiteral);
    if (name === 'kanbanProjectId') {
      // `{}` asks for the row, and nobody can see in JSON that it had a member.
      const wasFull = Object.keys(value as object).length > 0;
      return isEmptied(value as Tree, isLiteral && wasFull, isLiteral);
    }
    const isMissing = isLiteral && Object.values(value as object).includes(undefined);
    return isMissing || given(value as object).length === 0;
  });
}

const matches = (part: Tree, row: Row): boolean =>
  given(part).every(([name, value]) => {
    switch (name) {
      case 'and':
        return (value as Tree[]).every((each) => matches(each, row));
      case 'or':
        return (value as Tree[]).some((each) => matches(each, row));
      case 'not':
        return !matches(value as Tree, row);
      case 'kanbanProjectId':
        return matches(value as Tree, { id: row.project_id, project_id: 0 });
      default: {
        const { eq, gt } = value as Operators;
        const own = row[name as keyof Row];
        return (eq === undefined || own === eq) && (gt === undefined || own > gt);
      }
    }
  });

/** The filter in a document, each undefined part a variable that is not given. */
function literal(part: unknown, declared: string[]): string {
  if (Array.isArray(part)) return `[${part.map((each) => literal(each, declared)).join()}]`;
  if (typeof part !== 'object' || part === null) return JSON.stringify(part);
  const members = Object.entries(part).map(([name, value]: [string, unknown]) => {
    if (value !== undefined) return `${name}: ${literal(value, declared)}`;
    declared.push(`$v${String(declared.length)}: ${variableTypes[name] ?? ''}`);
    return `${name}: $v${String(declared.length - 1)}`;
  });
  return `{${members.join()}}`;
}

let server: GraphqlServer;

beforeAll(async () => {
  server = await startBoardServer('emptied_filters');
});
afterAll(() => server.close());

async function expectAnswer(query: string, variables: unknown, where: Tree, isLiteral: boolean): Promise<void> {
  const { body } = await server.ask(query, variables);
  if (isEmptied(where, false, isLiteral)) {
    const codes = body.errors?.map(({ extensions }) => extensions.code);
    expect(['TW004', 'TW005']).toContain(codes?.[0]);
  } else {
    const expected = rows.filter((row) => matches(where, row)).map(({ id }) => ({ id }));
    expect(body).toEqual({ data: { it: expected } });
  }
}

test('a filter that loses parts is refused, or finds what the rest of it finds', async () => {
  let refused = 0;
  const runs = 200;
  await fc.assert(
    fc.asyncProperty(treeOf(2), async (where) => {
      if (isEmptied(where, false, true)) refused += 1;
      const declared: string[] = [];
      const written = literal(where, declared);
      const head = declared.length === 0 ? '' : `query (${declared.join()}) `;
      await expectAnswer(`${head}{ it: kanbanIssues(where: ${written}, orderBy: {id: ASC}) { id } }`, {}, where, true);
      const query = 'query ($w: KanbanIssuesWhereInput) { it: kanbanIssues(where: $w, orderBy: {id: ASC}) { id } }';
      await expectAnswer(query, { w: where }, where, false);
    }),
    { numRuns: runs },
  );
  expect(refused).toBeGreaterThan(runs / 10);
  expect(refused).toBeLessThan(runs);
});

test.each([
  ['or: [{id: $absent}]'],
  ['where: {or: [{id: $absent}]}'],
  ['where: {or: [{id: {eq: 1}}, {id: $absent}]}'],
  ['where: {and: [{id: $absent}]}'],
  ['where: {not: {id: $absent}}'],
  ['where: {or: [{not: {id: $absent}}]}'],
  ['where: {kanbanProjectId: {id: $absent}}'],
  ['where: {kanbanLabelsViaIssueLabels: {some: {id: $absent}}}'],
  ['where: {kanbanLabelsViaIssueLabels: {none: {id: $absent}}}'],
  ['where: {kanbanLabelsViaIssueLabels: {every: {id: $absent}}}'],
])('with an absent variable, %s is TW005', async (argument) => {
  const { body } = await server.ask(`query ($absent: IntFilterInput) { kanbanIssues(${argument}) { id } }`, {});
  expect(body).toMatchObject({ errors: [{ extensions: { code: 'TW005' } }] });
});
