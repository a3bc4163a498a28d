/** Set while a suite runs with its whole volume. The environment is restored after each suite. */
const whole = 'TEST_WHOLE_VOLUME';

/**
 * How often a suite repeats its question.
 * @param few the smallest number that shows the property, for `npm test`
 * @param many for its suite `*.soak.test.ts`, which `npm run test:soak` runs
 */
export const volume = (few: number, many: number): number => (process.env[whole] === 'true' ? many : few);

/** Runs an existing suite with its whole volume. */
export async function withWholeVolume(suite: () => Promise<unknown>): Promise<void> {
  process.env[whole] = 'true';
  await suite();
}
