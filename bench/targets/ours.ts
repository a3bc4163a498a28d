import { resolve } from 'node:path';
import { compile, emptyFolder, generate, projectFolder } from '../harness/project.js';
import { POOL_SIZE, type Data, type Start, type Target } from '../harness/target.js';
import { graphqlRequests } from './graphql-requests.js';
import { restRequests } from './rest-requests.js';

type Settings = Readonly<Record<string, string>>;

/** The generated server, generated, compiled and started as a user does it. */
const startOf = (checkout?: string, folderName = 'compare', settings: Settings = {}): Start => ({
  args: ['dist/main.js'],
  cwd: projectFolder(folderName, checkout),
  readyPath: '/health/ready',
  env: ({ url, publicKey }: Data) => ({
    DATABASE_URL: url,
    APP_LOG_LEVEL: 'error',
    APP_MAX_ROWS: '1000',
    APP_DATASOURCE_POOL_SIZE: String(POOL_SIZE),
    APP_SECURITY_JWT_ENABLED: 'true',
    APP_SECURITY_AUTH_PUBLIC_KEY: publicKey,
    ...settings,
  }),
  prepare: async ({ url }) => {
    const folder = emptyFolder(folderName, checkout);
    await generate(url, folder, 'bench', checkout);
    await compile(folder, '--noCheck');
  },
});

/** One server that is measured in two protocols. */
const server = (name: string, start: Start): readonly Target[] => [
  { name, protocol: 'REST', start, requests: restRequests },
  { name, protocol: 'GraphQL', start, requests: graphqlRequests },
];

export const ours = server('tablewright', startOf());

/**
 * The server that another checkout of this repository generates, measured in turn with the server
 * of this checkout. `checkout` is its folder, built.
 */
export const before = (checkout: string): readonly Target[] => server('before', startOf(resolve(checkout)));

/** The same server with additional settings in its environment, to measure their cost. */
export const withSettings = (settings: Settings): readonly Target[] =>
  server(`with ${Object.keys(settings).join(', ')}`, startOf(undefined, 'compare-with', settings));
