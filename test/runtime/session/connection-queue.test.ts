import { ConnectionQueue } from '../../../runtime/src/dialect/connection-queue.js';
import { ServerError } from '../../../runtime/src/errors.js';

/** A pool whose connections the test opens, refuses and releases. */
function createPool({ size = 1, patience = 60_000 } = {}) {
  const open: number[] = [];
  const idle: number[] = [];
  const attempts: { readonly succeed: () => void; readonly fail: (error: Error) => void }[] = [];
  const queue = new ConnectionQueue<number>({
    size,
    patience,
    openCount: () => open.length,
    hasIdle: () => idle.length > 0,
    open: () =>
      new Promise<number>((resolve, reject) => {
        const number = attempts.length;
        const succeed = (): void => {
          open.push(number);
          resolve(number);
        };
        attempts.push({ succeed, fail: reject });
      }),
    release: (connection) => {
      if (!queue.grant(connection)) idle.push(connection);
    },
  });
  return { queue, attempts, open };
}

const failureOf = (work: Promise<unknown>): Promise<ServerError> =>
  work.then(
    () => Promise.reject(new Error('It did not fail.')),
    (error: unknown) => (error instanceof ServerError ? error : Promise.reject(new Error(String(error)))),
  );

test('connections are granted in the order of the requests, and opened as far as there may be more', async () => {
  const { queue, attempts } = createPool({ size: 2 });
  const granted: string[] = [];
  const requests = ['first', 'second', 'third'].map((name) =>
    queue.wait().then((connection) => {
      granted.push(name);
      return connection;
    }),
  );
  expect(attempts).toHaveLength(2);
  expect(queue.state).toBe('busy');
  for (const { succeed } of attempts) succeed();
  await requests[1];
  expect(queue.grant(0)).toBe(true);
  expect(await Promise.all(requests)).toEqual([0, 1, 0]);
  expect(granted).toEqual(['first', 'second', 'third']);
  expect(queue.grant(0)).toBe(false);
});

test('while none can be opened, a probe is told why, and no longer once one was opened', async () => {
  const { queue, attempts, open } = createPool();
  const refused = new Error('connect ECONNREFUSED');
  const [first, second] = [failureOf(queue.wait()), queue.wait()];
  attempts[0]?.fail(refused);
  expect(await first).toMatchObject({ status: 503, message: 'The database is not available.', cause: refused });
  // Another connection attempt for the second request is no proof that the database works.
  expect(attempts).toHaveLength(2);
  expect(queue.state).toBe('exhausted');
  expect(queue.exhaustion).toMatchObject({ message: 'The database is not available.', cause: refused });
  attempts[1]?.succeed();
  await second;
  expect(queue.state).toBe('busy');
  expect(queue.exhaustion).toMatchObject({ message: expect.stringContaining('busy') as string });
  open.pop();
  expect(queue.state).toBe('free');
});

test('a request that waits too long, and those that are too many, are told to come back', async () => {
  const { queue } = createPool({ patience: 20 });
  const waiting = Array.from({ length: 100 }, () => failureOf(queue.wait()));
  expect(await failureOf(queue.wait())).toMatchObject({ message: expect.stringContaining('busy') as string });
  // No connection was opened, so the database counts as unavailable.
  for (const error of await Promise.all(waiting)) expect(error.message).toBe('The database is not available.');
});

test('a queue that is closed refuses all that wait, and all that come', async () => {
  const { queue, attempts } = createPool();
  const waiting = failureOf(queue.wait());
  queue.close();
  for (const error of [await waiting, await failureOf(queue.wait())]) expect(error.status).toBe(503);
  expect(attempts).toHaveLength(1);
});
