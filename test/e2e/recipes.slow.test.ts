import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildSchema } from 'graphql';
import { parse, parseAllDocuments } from 'yaml';
import { describeClients } from '../support/client-packages.js';
import { loadSql } from '../support/postgres.js';
import { recipe, recipeFile, withProject, type RecipeProject } from '../support/recipe-project.js';
import { startGeneratedServer } from '../support/running-server.js';
import { query } from '../support/served-database.js';
import { repository } from '../support/transpile.js';

interface Manifest {
  readonly kind: string;
  readonly spec: {
    readonly template?: { readonly spec: { readonly containers: readonly Container[] } };
    readonly ports?: readonly { readonly targetPort: number }[];
  };
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: number };
}

interface Container {
  readonly ports: readonly { readonly containerPort: number }[];
  readonly env: readonly { readonly name: string }[];
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
  readonly startupProbe: Probe;
}

/** Serves the project, and expects an empty table of notes under these names. */
async function expectNotes(project: RecipeProject): Promise<void> {
  await project.run('npm run build');
  const server = await startGeneratedServer(project.folder, {
    DATABASE_URL: project.database.url,
    APP_SECURITY_ALLOW_SUPERUSER: 'true',
  });
  try {
    expect(await query(server, '{ notes { id title } }')).toEqual({ data: { notes: [] } });
    const { data } = (await query(server, '{ __schema { queryType { fields { name } } } }')) as {
      readonly data: { readonly __schema: { readonly queryType: { readonly fields: readonly { name: string }[] } } };
    };
    const names = data.__schema.queryType.fields.map(({ name }) => name);
    expect(names.filter((name) => !name.startsWith('notes'))).toEqual([]);
    const [container] = containers();
    for (const probe of [container?.livenessProbe, container?.readinessProbe, container?.startupProbe])
      expect((await fetch(`${server.base}${probe?.httpGet.path ?? '/none'}`)).status).toBe(200);
  } finally {
    await server.stop();
  }
}

const manifests = (): readonly Manifest[] =>
  parseAllDocuments(readFileSync(join(repository, 'templates/kubernetes.yaml'), 'utf8')).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() as Manifest;
  });

const containers = (): readonly Container[] => manifests().flatMap(({ spec }) => spec.template?.spec.containers ?? []);

describeClients('a migration tool, then generate', () => {
  test('dbmate, and the script for GitLab', () =>
    withProject(async (project) => {
      await project.follow(recipe('dbmate'));
      const { check } = parse(recipeFile('.gitlab-ci.yml')) as {
        readonly check: { readonly script: readonly string[] };
      };
      await project.run(check.script.join('\n'));
    }));

  test.each(['node-pg-migrate', 'Drizzle'])('%s', (tool) =>
    withProject(async (project) => {
      await project.follow(recipe(tool));
      await expectNotes(project);
    }),
  );
});

test('the monorepo builds its server, and the editor finds its schema', () =>
  withProject(async (project) => {
    await loadSql(project.database.url, 'create table notes (id int primary key)');
    await project.run('npx tablewright init --out server --yes');
    // The packages are those of this repository, which npm would look for in the registry.
    const commands = recipe('Monorepos').replace(/^npm install\n/m, '');
    await project.follow(commands);
    const config = parse(recipeFile('graphql.config.yml')) as { readonly schema: string };
    const schema = buildSchema(await readFile(join(project.folder, config.schema), 'utf8'), { assumeValid: true });
    expect(schema.getQueryType()?.name).toBe('Query');
  }));

test('the manifests for Kubernetes use the port and the settings of the server', async () => {
  const [container] = containers();
  const dockerfile = await readFile(join(repository, 'templates/project/Dockerfile'), 'utf8');
  const port = Number(/PORT=(\d+)/.exec(dockerfile)?.[1]);
  const ports = [container?.livenessProbe, container?.readinessProbe, container?.startupProbe].map(
    (probe) => probe?.httpGet.port,
  );
  expect([container?.ports[0]?.containerPort, ...ports]).toEqual([port, port, port, port]);
  expect(manifests().find(({ kind }) => kind === 'Service')?.spec.ports?.[0]?.targetPort).toBe(port);
  const settings = await readFile(join(repository, 'docs/configuration.md'), 'utf8');
  for (const { name } of container?.env ?? []) if (name.startsWith('APP_')) expect(settings).toContain(`\`${name}\``);
  expect(parse(recipeFile('compose.yaml'))).toMatchObject({ services: { server: { build: '.' } } });
});
