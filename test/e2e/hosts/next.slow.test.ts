import { writeTree } from '../../support/folders.js';
import { abortChecks, checks, streamChecks, testHost } from '../../support/host-checks.js';
import { describeHosts, HostProject } from '../../support/hosts.js';

/** What `create-next-app` writes, as far as it matters here, and what the page adds. */
const compilerOptions = {
  ...{ target: 'ES2017', lib: ['dom', 'dom.iterable', 'esnext'], module: 'esnext', moduleResolution: 'bundler' },
  ...{ strict: true, allowJs: true, noEmit: true, skipLibCheck: true, esModuleInterop: true, isolatedModules: true },
  ...{ resolveJsonModule: true, incremental: true, jsx: 'react-jsx', plugins: [{ name: 'next' }] },
};
const application = {
  'tsconfig.json': JSON.stringify({ compilerOptions, include: ['**/*.ts'], exclude: ['node_modules', 'server'] }),
};

describeHosts('a host on Node.js that bundles', () => {
  let project: HostProject;
  beforeAll(async () => {
    project = await HostProject.open(true);
    await writeTree(project.folder, application);
  });
  afterAll(() => project.remove());

  testHost(() => project, {
    heading: 'Next.js',
    path: '/data',
    checks: [checks, abortChecks, streamChecks],
    folder: ({ folder }) => folder,
    // That of npx, which ends by the signal.
    exit: null,
  });
});
