import { abortChecks, checks, socketChecks, streamChecks, testHost } from '../../support/host-checks.js';
import { describeHosts, HostProject } from '../../support/hosts.js';

const all = [checks, abortChecks, streamChecks, socketChecks];

describeHosts('a host on Node.js', () => {
  let project: HostProject;
  beforeAll(async () => {
    project = await HostProject.open();
  });
  afterAll(() => project.remove());

  testHost(() => project, { heading: 'node:http', checks: all });

  for (const heading of ['Fastify', 'NestJS', 'Koa', 'Hono'])
    testHost(() => project, { heading, path: '/data', checks: all });
});
