import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { serverAudits } from 'graphql-http';
import type { GraphqlServer } from '../../support/graphql-server.js';
import { startBoardServer } from './support/board.js';

let server: GraphqlServer;

beforeAll(async () => {
  server = await startBoardServer('graphql_audit');
});
afterAll(() => server.close());

describe("graphql-http's audit suite", () => {
  for (const audit of serverAudits({ url: () => server.url, fetchFn: fetch })) {
    test(`${audit.id} ${audit.name}`, async () => {
      const result = await audit.fn();
      expect(result).toMatchObject({ status: 'ok' });
    });
  }
});
