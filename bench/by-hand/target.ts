import { join } from 'node:path';
import { repository } from '../harness/child.js';
import type { Start, Target } from '../harness/target.js';
import { graphqlRequests } from '../targets/graphql-requests.js';
import { restRequests } from '../targets/rest-requests.js';

const start: Start = {
  args: [join(repository, 'node_modules/jiti/lib/jiti-cli.mjs'), 'bench/by-hand/server.ts'],
  cwd: repository,
  readyPath: '/health/ready',
  env: ({ url, token, claims }) => ({ DATABASE_URL: url, BENCH_TOKEN: token, BENCH_CLAIMS: JSON.stringify(claims) }),
};

/**
 * The hand-written server. It gets the same requests as the generated server and gives the same
 * answers.
 */
export const byHand: readonly Target[] = [
  { name: 'by hand', protocol: 'REST', start, requests: restRequests },
  { name: 'by hand', protocol: 'GraphQL', start, requests: graphqlRequests },
];
