import { startServer } from '../rest/support/server.js';
import type { ServerExtension } from '../../../runtime/src/server/custom-extension.js';

/** A server whose own extension is wrong does not start, and says what to do. */

const starting = (extension: ServerExtension, environment: Readonly<Record<string, string>> = {}): Promise<unknown> =>
  startServer(environment, { extensions: [extension] });

const refused = (message: string, more: object = {}): Error =>
  expect.objectContaining({ code: 'TW018', message, ...more }) as Error;

test('one that cannot be opened, and its own error is the cause', async () => {
  const cause = new Error('There is no file.');
  const open = (): never => {
    throw cause;
  };
  await expect(starting({ name: 'audit', open })).rejects.toThrow(
    refused('The extension audit cannot be opened.', { cause }),
  );
});

test('one that asks for the database while it opens', async () => {
  const open: ServerExtension['open'] = async ({ as }) => {
    await as({}).query('{ __typename }');
    return {};
  };
  await expect(starting({ name: 'early', open })).rejects.toThrow(refused('The extension early cannot be opened.'));
});

test.each([
  ['/graphql', 'is the place of /graphql.'],
  ['/api/v1/audit', 'is the place of /api/v1.'],
  ['/health', 'is the place of /health.'],
  ['/mcp', 'is the place of /mcp.'],
  ['/rest/v1', 'is the place of /rest/v1.'],
  ['audit', 'is not a path.'],
  ['/', 'is not a path.'],
])('a mount at %s', async (prefix, problem) => {
  const open = () => ({ mounts: [{ prefix, handler: () => Promise.resolve() }] });
  await expect(starting({ name: 'audit', open }, { APP_REST_POSTGREST: '/rest/v1' })).rejects.toThrow(
    refused(`\`${prefix}\` in the extension audit ${problem}`),
  );
});
