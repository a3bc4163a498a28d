/**
 * `describe` for a suite with a requirement that some machines do not meet. On these machines the
 * suite is skipped, with the reason in its name. In CI, which must meet all requirements, it fails.
 *
 * @param available whether the machine meets the requirement
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
