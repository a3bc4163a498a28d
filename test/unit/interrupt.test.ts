import { stopWhenAborted, unlessAborted } from '../../src/interrupt.js';

const never = (): Promise<never> => new Promise(() => undefined);
const interrupted = { code: 'INTERRUPTED' };

test('the work’s outcome, when nobody interrupts', async () => {
  const { signal } = new AbortController();
  await expect(unlessAborted(() => Promise.resolve(7), signal)).resolves.toBe(7);
  await expect(unlessAborted(() => Promise.reject(new Error('mine')), undefined)).rejects.toThrow('mine');
});

test('an interruption ends the wait at once', async () => {
  const controller = new AbortController();
  const waiting = unlessAborted(never, controller.signal);
  controller.abort();
  await expect(waiting).rejects.toMatchObject(interrupted);
});

test('work that fails after the interruption fails quietly', async () => {
  const controller = new AbortController();
  let fail: (error: Error) => void = () => undefined;
  const waiting = unlessAborted(
    () =>
      new Promise<never>((_resolve, reject) => {
        fail = reject;
      }),
    controller.signal,
  );
  controller.abort();
  await expect(waiting).rejects.toMatchObject(interrupted);
  fail(new Error('too late'));
  await new Promise((resolve) => setImmediate(resolve));
});

test('work is not begun after an interruption', async () => {
  let begun = false;
  const work = (): Promise<never> => {
    begun = true;
    return never();
  };
  await expect(unlessAborted(work, AbortSignal.abort())).rejects.toMatchObject(interrupted);
  expect(begun).toBe(false);
  expect(() => {
    stopWhenAborted(AbortSignal.abort());
  }).toThrow(expect.objectContaining(interrupted) as Error);
});
