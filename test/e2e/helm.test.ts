import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { describeWhere } from '../support/describe-where.js';
import { temporaryFolder } from '../support/folders.js';
import { found } from '../support/machine/machine.js';
import { runProgram, succeed } from '../support/program.js';
import { repository } from '../support/transpile.js';

/** An npm package that ships Helm and kubectl in an archive. */
const archive = found('helm')?.at ?? '';
const chart = join(repository, 'templates/helm');
const manifests = join(repository, 'templates/kubernetes.yaml');

const heading = `# The chart in templates/helm with its default values, for clusters without Helm. Made by
# UPDATE_DOCS=1 npm test -- test/e2e/helm.
`;

interface Resource {
  readonly kind: string;
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: {
    readonly replicas?: number;
    readonly template: { readonly spec: { readonly containers: readonly Container[] } };
  };
}

interface Container {
  readonly args?: readonly string[];
  readonly env: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: unknown }[];
  readonly envFrom?: readonly unknown[];
}

describeWhere('helm')('the chart', () => {
  let folder: string;
  let remove: () => Promise<void>;
  beforeAll(async () => {
    ({ folder, remove } = await temporaryFolder());
    await mkdir(join(folder, 'home'));
    await succeed('unzip', ['-q', '-j', archive, 'helm/helm', '-d', folder]);
    await succeed('chmod', ['+x', join(folder, 'helm')]);
  });
  afterAll(() => remove());

  const helm = (...args: readonly string[]) =>
    runProgram(join(folder, 'helm'), args, { cwd: folder, env: { HOME: join(folder, 'home') } });

  async function rendered(...flags: readonly string[]): Promise<readonly Resource[]> {
    const { stdout, stderr, code } = await helm('template', 'shop', chart, ...flags);
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    return parseAllDocuments(stdout).map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS() as Resource;
    });
  }

  test('helm finds no fault in it', async () => {
    expect(await helm('lint', '--strict', chart)).toMatchObject({ code: 0 });
  });

  test('the manifests for clusters without Helm are its output', async () => {
    const { stdout } = await helm('template', 'shop', chart);
    const text = heading + stdout.replace(/^# Source: .*\n/gm, '');
    if (process.env['UPDATE_DOCS'] === '1') await writeFile(manifests, text);
    expect(await readFile(manifests, 'utf8')).toBe(text);
  });

  test('settings and secrets become the environment of the server', async () => {
    const resources = await rendered(
      '--set-string=settings.APP_MAX_ROWS=100',
      '--set=secrets={shop-keys}',
      '--set=pullSecrets={registry}',
      '--set=autoscaling.enabled=false',
      '--set=replicas=3',
    );
    expect(resources.map(({ kind }) => kind).sort()).toEqual(['Deployment', 'PodDisruptionBudget', 'Service']);
    const deployment = resources.find(({ kind }) => kind === 'Deployment');
    expect(deployment?.spec.replicas).toBe(3);
    expect(deployment?.spec.template.spec).toMatchObject({ imagePullSecrets: [{ name: 'registry' }] });
    const [server] = deployment?.spec.template.spec.containers ?? [];
    expect(server?.env).toContainEqual({ name: 'APP_MAX_ROWS', value: '100' });
    expect(server?.envFrom).toEqual([{ secretRef: { name: 'shop-keys' } }]);
  });

  test('migrations are a job before the new version, as the owner of the database', async () => {
    const resources = await rendered(
      '--set=migrations.enabled=true',
      '--set=migrations.image=shop-migrations:1',
      '--set=migrations.args={up}',
    );
    const job = resources.find(({ kind }) => kind === 'Job');
    expect(job?.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' });
    const [container] = job?.spec.template.spec.containers ?? [];
    expect(container).toMatchObject({
      image: 'shop-migrations:1',
      args: ['up'],
      env: [{ name: 'DATABASE_URL', valueFrom: { secretKeyRef: { name: 'shop-owner', key: 'url' } } }],
    });
  });

  test.each([
    ['replicas=two', '/replicas'],
    ['autoscaling.cpu=200', '/autoscaling/cpu'],
    ['databse.secret=shop', 'databse'],
    ['settings.pool-size=10', 'pool-size'],
  ])('%s does not fit the schema of its values', async (setting, named) => {
    const { code, stderr } = await helm('template', 'shop', chart, '--set', setting);
    expect(code).not.toBe(0);
    expect(stderr).toContain(named);
  });
});

test('every default value is in the schema', async () => {
  const values = parse(await readFile(join(chart, 'values.yaml'), 'utf8')) as object;
  const schema = JSON.parse(await readFile(join(chart, 'values.schema.json'), 'utf8')) as {
    readonly properties: object;
  };
  expect(Object.keys(schema.properties).filter((key) => key !== 'global')).toEqual(Object.keys(values));
});
