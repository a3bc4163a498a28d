import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  buildClientSchema,
  getIntrospectionQuery,
  isEnumType,
  isInputObjectType,
  isObjectType,
  type GraphQLSchema,
  type IntrospectionQuery,
} from 'graphql';
import { describeMysql } from '../../../support/mysql.js';
import { graphqlFailures, listFields } from '../../../support/served-database.js';
import { repository } from '../../../support/transpile.js';
import type { RunningServer } from '../../../support/running-server.js';
import { askCase, post, type CaseAnswer } from './ask.js';
import { absentCases, answers, api, avoided } from './differences.js';
import { otherFolders, serveTwins, twinFolders, type CaseRequest, type Twins } from './twins.js';

const caseNames = await twinFolders();

describeMysql('the cases of test/cases, in PostgreSQL and in MariaDB', () => {
  let twins: Twins;

  beforeAll(async () => {
    twins = await serveTwins();
  });

  afterAll(() => twins.stop());

  test('every other case has a reason to be PostgreSQL’s alone', async () => {
    expect(await otherFolders()).toEqual(Object.keys(absentCases).sort());
  });

  test('docs/mysql.md lists every difference', async () => {
    const page = await readFile(join(repository, 'docs/mysql.md'), 'utf8');
    const known = [absentCases, answers, api].flatMap((each) => Object.values(each)).map(({ listed }) => listed);
    expect([...known, ...avoided].filter((line) => !page.includes(`\n${line}`))).toEqual([]);
  });

  /** The answers of both databases to a request; undefined where they agree. */
  const differing = async (request: CaseRequest): Promise<unknown> => {
    const [postgres, mysql] = await Promise.all(
      [twins.postgres, twins.mysql].map((server) => askCase(server, request, twins.names)),
    );
    return JSON.stringify(postgres) === JSON.stringify(mysql) ? undefined : { request: request.name, postgres, mysql };
  };

  test.each(caseNames)('case %s: its requests, in their order, answer alike', async (name) => {
    const { requests } = twins.cases.find((each) => each.name === name) ?? { requests: [] };
    expect(requests.length).toBeGreaterThan(5);
    const found: string[] = [];
    const surprises: unknown[] = [];
    for (const request of requests) {
      const difference = await differing(request);
      if (difference === undefined) continue;
      found.push(`${name}: ${request.name}`);
      if (answers[`${name}: ${request.name}`] === undefined) surprises.push(difference);
    }
    expect(surprises).toEqual([]);
    expect(found).toEqual(Object.keys(answers).filter((each) => each.startsWith(`${name}: `)));
  });

  test('every table and every relation answers on both, with the same rows', async () => {
    const fields = await listFields(twins.mysql);
    expect(fields.length).toBeGreaterThan(20);
    const theirs = new Map((await listFields(twins.postgres)).map((field) => [field.name, new Set(field.columns)]));
    const selection = ({ name, columns, relations }: (typeof fields)[number]): string =>
      [
        ...columns.filter((column) => theirs.get(name)?.has(column) === true && column !== 'created_at'),
        ...relations.map((relation) => `${relation.name} { ${relation.column} }`),
      ].join(' ');
    for (const server of [twins.postgres, twins.mysql])
      expect(await graphqlFailures(server, fields, selection)).toEqual([]);
    for (const field of fields) {
      const request = { name: field.name, graphql: `{ rows: ${field.name} { ${selection(field)} } }` };
      const [postgres, mysql] = await Promise.all(
        [twins.postgres, twins.mysql].map(async (server) => rowsOf(await askCase(server, request, twins.names))),
      );
      expect({ field: field.name, rows: mysql }).toEqual({ field: field.name, rows: postgres });
    }
  });

  test('the APIs are the same, but for what is listed', async () => {
    const [postgres = [], mysql = []] = await Promise.all(
      [twins.postgres, twins.mysql].map(async (server) =>
        linesOf(await schemaOf(server)).map((line) => twins.names.back(line)),
      ),
    );
    const alone = (lines: readonly string[], others: readonly string[], side: string): readonly string[] => {
      const there = new Set(others);
      return lines.filter((line) => !there.has(line)).map((line) => `${side} ${line}`);
    };
    const found = [...alone(postgres, mysql, 'PostgreSQL'), ...alone(mysql, postgres, 'MariaDB')];
    expect(found.filter((line) => !api.some((known) => known.line.test(line)))).toEqual([]);
    expect(api.filter((known) => !found.some((line) => known.line.test(line)))).toEqual([]);
  });
});

async function schemaOf(server: RunningServer): Promise<GraphQLSchema> {
  const response = await post(server, getIntrospectionQuery());
  return buildClientSchema(((await response.json()) as { readonly data: IntrospectionQuery }).data);
}

/** Its rows, sorted, because the request has no order. */
function rowsOf({ body }: CaseAnswer): readonly string[] {
  const { data } = JSON.parse(body) as { readonly data: { readonly rows: readonly unknown[] } };
  return data.rows.map((row) => JSON.stringify(row)).sort();
}

/** A line for each field, argument, input and label. */
function linesOf(schema: GraphQLSchema): readonly string[] {
  return Object.values(schema.getTypeMap())
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap((type) => {
      if (isEnumType(type)) return type.getValues().map(({ name }) => `${type.name}.${name}`);
      if (isInputObjectType(type))
        return Object.values(type.getFields()).map((field) => `${type.name}.${field.name}: ${String(field.type)}`);
      if (!isObjectType(type)) return [type.name];
      return Object.values(type.getFields()).flatMap((field) => [
        `${type.name}.${field.name}: ${String(field.type)}`,
        ...field.args.map((argument) => `${type.name}.${field.name}(${argument.name}: ${String(argument.type)})`),
      ]);
    })
    .sort();
}
