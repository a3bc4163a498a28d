/**
 * `describe` for a suite that needs something that not every machine has. Where it is absent the
 * suite is reported as skipped, with the reason in its name; in CI, which has to provide
 * everything, it fails.
 *
 * @param available whether the machine has it
 * @param need the requirement, and how to install it
 */
export function describeWhere(available: boolean, need: string): (name: string, suite: () => void) => void {
  if (available) return describe;
  if (process.env['CI'] !== undefined && process.env['CI'] !== '') {
    return (name) => {
      describe(name, () => {
        test('runs in CI', () => {
          throw new Error(`This suite has to run in CI, which has to provide what it needs: ${need}`);
        });
      });
    };
  }
  return (name, suite) => {
    describe.skip(`${name} (not run here, it needs ${need})`, suite);
  };
}
