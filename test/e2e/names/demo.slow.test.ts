import { generateKeyPairSync } from 'node:crypto';
import { copyFile, cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { clients, describeClients } from '../../support/client-packages.js';
import { tablewright } from '../../support/cli.js';
import { demoScripts, writePgliteData } from '../../support/pglite-data.js';
import { compile, succeed } from '../../support/program.js';
import { markdownFiles } from '../../support/readme.js';
import { startGeneratedServer, type RunningServer } from '../../support/running-server.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { repository } from '../../support/transpile.js';

/**
 * The demo with the shortest names: its project, its server, and clients that are typed by its
 * schema.
 */

const tool = (name: string): string => join(clients, 'node_modules/.bin', name);

const facts = {
  schemas: ['kanban', 'shop'],
  keys: { 'shop.product_sales': ['product_id'] },
  relations: {
    'shop.product_sales': [{ columns: ['product_id'], table: 'shop.products', references: ['id'] }],
  },
};
const names = { schemaPrefix: 'never', columns: 'camel', relations: 'simple' };
const rename = {
  'kanban.users': { relations: { issuesByAssignee: 'assignedIssues', issuesByReporter: 'reportedIssues' } },
  'kanban.issues': { relations: { issues: 'children' } },
};

const shortClient = `import type { GraphQLClient } from 'graphql-request';
import { graphql } from './gql/index.js';
import type { IssuesCreateInput } from './gql/graphql.js';

const board = graphql(\`
  query Board($where: IssuesWhereInput!) {
    issues(where: $where, orderBy: [{ storyPoints: DESC_NULLS_LAST }, { id: ASC }], limit: 3) {
      storyPoints
      dueOn
      assignee {
        handle
        assignedIssuesAggregate {
          count
        }
      }
      labelsViaIssueLabels {
        name
      }
      children {
        id
      }
    }
  }
\`);

export const issue: IssuesCreateInput = { projectId: 1, number: 1, title: 'typed', reporterId: 1, storyPoints: 2 };

export async function points(client: GraphQLClient): Promise<readonly (number | null)[]> {
  const { issues } = await client.request(board, { where: { storyPoints: { gte: 1 }, assignee: { active: { eq: true } } } });
  return issues.map(({ storyPoints }) => storyPoints ?? null);
}
`;

let home: string;
let project: string;
let client: string;
let server: RunningServer;
let token: string;
let warnings: string;

const configure = (config: object): Promise<void> =>
  writeFile(join(project, 'tablewright.config.json'), JSON.stringify(config));

async function generate(...flags: readonly string[]): Promise<string> {
  const args = ['generate', '--url', `pglite:${join(home, 'data')}`, '--out', 'server', ...flags];
  const { code, stderr } = await tablewright(args, { cwd: home });
  if (code !== 0) throw new Error(stderr);
  return stderr;
}

beforeAll(async () => {
  home = await scratchFolder('names-demo');
  [project, client] = [join(home, 'server'), join(home, 'client')];
  await writePgliteData(join(home, 'data'), demoScripts);
  await mkdir(project);
  await configure(facts);
  await generate();

  // A client that uses the long names is converted.
  const pages = markdownFiles('docs/graphql.md');
  await mkdir(join(client, 'src'), { recursive: true });
  await cp(join(clients, 'codegen/tsconfig.json'), join(client, 'tsconfig.json'));
  for (const path of ['codegen.ts', 'src/bugs.ts']) await writeFile(join(client, path), pages.get(path) ?? '');
  await configure({ ...facts, names, rename });
  warnings = await generate('--follow', '--yes', '--documents', 'client/src/*.ts');
  await writeFile(join(client, 'src/short.ts'), shortClient);
  await copyFile(join(project, 'src/generated/schema.graphql'), join(client, 'schema.graphql'));

  await compile(project);
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  await writeFile(join(home, 'key.pem'), publicKey.export({ type: 'spki', format: 'pem' }));
  server = await startGeneratedServer(project, {
    DATABASE_URL: `pglite:${join(home, 'data')}`,
    APP_SECURITY_JWT_ENABLED: 'true',
    APP_SECURITY_AUTH_PUBLIC_KEY_FILE: join(home, 'key.pem'),
    APP_SECURITY_ANONYMOUS_ROLE: 'tablewright_demo',
    APP_SECURITY_DEFAULT_ROLE: 'tablewright_demo',
  });
  token = await new SignJWT({ userId: '4' })
    .setProtectedHeader({ alg: 'EdDSA' })
    .setExpirationTime('1h')
    .sign(privateKey);
});

afterAll(async () => {
  await server.stop();
  await rm(home, { recursive: true, force: true });
});

test('the project passes its own linter, with the strictest presets', async () => {
  const eslint = join(repository, 'node_modules/.bin/eslint');
  await succeed(eslint, ['--max-warnings', '0', 'src'], { cwd: project });
});

test('names that are taken are explained, with the entry that changes one', () => {
  expect(warnings).toContain('2 fields have another name than their rule gives them, because that name is taken.');
  expect(warnings).toMatch(/kanban\.issues: \S+ through \S+ \(labelsViaIssueLabels\)/);
  expect(warnings).toContain("rename: { 'kanban.issues': { relations: { labelsViaIssueLabels: '…' } } }");
});

test('GraphQL answers along the short names, under the policies', async () => {
  const query = `{
    users(where: { handle: { isNotNull: true } }, orderBy: { id: ASC }, limit: 1) {
      timeZone assignedIssues(limit: 1) { storyPoints project { key } } reportedIssuesAggregate { count }
    }
    notifications(limit: 1) { readAt user { publicId } }
    productSalesConnection(first: 1) { nodes { productId } }
  }`;
  const ask = async (headers: Record<string, string>): Promise<{ data: { notifications: unknown[] } }> => {
    const answer = await fetch(`${server.base}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query }),
    });
    return (await answer.json()) as { data: { notifications: unknown[] } };
  };
  const known = await ask({ authorization: `Bearer ${token}` });
  expect(known).not.toHaveProperty('errors');
  expect(known.data.notifications).toHaveLength(1);
  expect((await ask({})).data.notifications).toEqual([]);
});

test('REST answers by them too, with vectors, full text and procedures beside', async () => {
  const get = async (path: string): Promise<unknown> => {
    const answer = await fetch(`${server.base}/api/v1/${path}`, { headers: { 'accept-profile': 'kanban' } });
    expect([path, answer.status]).toEqual([path, 200]);
    return ((await answer.json()) as { data: unknown }).data;
  };
  expect(
    await get('issues?select=id,storyPoints,assignee(handle)&storyPoints=gte.1&order=storyPoints.desc,id&limit=1'),
  ).toEqual([
    {
      id: expect.any(Number) as number,
      storyPoints: expect.any(Number) as number,
      assignee: expect.anything() as object,
    },
  ]);
  expect(Array.isArray(await get('issues?searchVector=plfts.login&select=id,searchVector&limit=1'))).toBe(true);
  const near = encodeURIComponent(JSON.stringify({ near: [1, 0, 0, 0, 0, 0, 0, 0], limit: 2 }));
  expect(await get(`issues?embedding=vector.${near}&select=id`)).toHaveLength(2);
});

test('docs/names.md asks what the server answers', async () => {
  const page = await readFile(join(repository, 'docs/names.md'), 'utf8');
  const query = /```graphql\n([\s\S]+?)```/.exec(page)?.[1];
  const path = /^GET (\S+)$/m.exec(page)?.[1] ?? '';
  const answer = await fetch(`${server.base}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const { data, errors } = (await answer.json()) as { data: { issues: unknown[] }; errors?: unknown };
  expect([errors, data.issues.length > 0]).toEqual([undefined, true]);
  const listed = await fetch(server.base + path, { headers: { 'accept-profile': 'kanban' } });
  expect(await listed.json()).toMatchObject({ data: expect.arrayContaining([expect.anything()]) as unknown[] });
  for (const key of Object.keys(names)) expect(page).toContain(key);
});

describeClients('typed clients', () => {
  beforeAll(async () => {
    await symlink(join(clients, 'node_modules'), join(client, 'node_modules'));
    await copyFile(join(clients, 'package.json'), join(client, 'package.json'));
    await succeed(tool('graphql-codegen'), [], { cwd: client });
    await succeed(tool('tsc'), ['-p', client]);
  });

  const call = async (module: string, expression: string): Promise<unknown> => {
    const script = `const module = await import('./out/${module}.js');
      const { GraphQLClient } = await import('graphql-request');
      const client = new GraphQLClient(process.env.SERVER, { headers: { authorization: 'Bearer ' + process.env.TOKEN } });
      console.log(JSON.stringify(await ${expression}));`;
    const env = { NODE_OPTIONS: '', SERVER: `${server.base}/graphql`, TOKEN: token };
    return JSON.parse(
      await succeed(process.execPath, ['--input-type=module', '-e', script], { cwd: client, env }),
    ) as unknown;
  };

  test('the client of the documentation has followed, and its code goes on', async () => {
    expect(await readFile(join(client, 'src/bugs.ts'), 'utf8')).toContain('kanbanIssues: issues(');
    expect(await call('bugs', 'module.titles(process.env.SERVER)')).toHaveLength(2);
  });

  test('a client that is written for the short names is typed by them', async () => {
    const points = (await call('short', 'module.points(client)')) as number[];
    expect(points).toHaveLength(3);
    expect(points.every((each) => each >= 1)).toBe(true);
  });
});
