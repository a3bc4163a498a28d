import { compile, emptyFolder, generate, projectFolder } from '../harness/project.js';
import { POOL_SIZE, type Data, type Start, type Target } from '../harness/target.js';
import { graphqlRequests } from './graphql-requests.js';
import { restRequests } from './rest-requests.js';

const FOLDER = 'compare';

/** The generated server as it is generated, compiled and started as a user does it. */
const start: Start = {
  args: ['dist/main.js'],
  cwd: projectFolder(FOLDER),
  readyPath: '/health/ready',
  env: ({ url, publicKey }: Data) => ({
    DATABASE_URL: url,
    APP_LOG_LEVEL: 'error',
    APP_MAX_ROWS: '1000',
    APP_DATASOURCE_POOL_SIZE: String(POOL_SIZE),
    APP_SECURITY_JWT_ENABLED: 'true',
    APP_SECURITY_AUTH_PUBLIC_KEY: publicKey,
  }),
  prepare: async ({ url }) => {
    const folder = emptyFolder(FOLDER);
    await generate(url, folder, 'bench');
    await compile(folder, '--noCheck');
  },
};

/** One server, asked in two protocols. */
export const ours: readonly Target[] = [
  { name: 'tablewright', protocol: 'REST', start, requests: restRequests },
  { name: 'tablewright', protocol: 'GraphQL', start, requests: graphqlRequests },
];
