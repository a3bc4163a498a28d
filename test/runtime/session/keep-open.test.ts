import { keepOpen } from '../../../runtime/src/dialect/keep-open.js';

test('each session has a signal of its own, which is aborted after its end and on closing', async () => {
  const signals: AbortSignal[] = [];
  let closed = 0;
  const until = new Promise<void>((resolve) => {
    const close = keepOpen(
      (signal) => {
        signals.push(signal);
        signal.addEventListener('abort', () => (closed += 1));
        const isLast = signals.length === 20;
        if (isLast) setImmediate(() => void close().then(resolve));
        if (signals.length % 2 === 0 && !isLast) return Promise.reject(new Error('not opened'));
        return Promise.resolve({
          ended: new Promise<never>((_, reject) => {
            if (isLast)
              signal.addEventListener('abort', () => {
                reject(new Error('closed'));
              });
            else reject(new Error('ended'));
          }),
          close: () => undefined,
        });
      },
      { firstPause: 1, longestPause: 1, opened: () => undefined },
    );
  });
  await until;
  expect(new Set(signals).size).toBe(20);
  expect(signals.every(({ aborted }) => aborted)).toBe(true);
  expect(closed).toBe(20);
});

test('a session that is opened after the end is closed again', async () => {
  const calls: string[] = [];
  const session = { ended: new Promise<never>(() => undefined), close: () => calls.push('close') };
  let finish = (): void => undefined;
  const opening = new Promise<typeof session>((resolve) => {
    finish = () => {
      resolve(session);
    };
  });
  const close = keepOpen(() => opening, { firstPause: 1, longestPause: 1, opened: () => calls.push('opened') });
  const closed = close();
  finish();
  await closed;
  expect(calls).toEqual(['close']);
});
