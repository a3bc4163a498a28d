/** Arguments that cannot be understood; the message says what is understood. */
export class UsageError extends Error {}

const configs = { '--all': 'jest.all.config.js', '--soak': 'jest.soak.config.js' };

/**
 * The arguments of `npm test`. A path below `test/` chooses from the suites of both tiers.
 * @returns the configuration of Jest, the commit of `--changed`, and the arguments for Jest
 */
export function parseArguments(args) {
  const tiers = args.filter((each) => each in configs);
  if (tiers.length > 1) throw new UsageError(`Choose one of ${Object.keys(configs).join(' and ')}.`);
  const rest = args.filter((each) => !(each in configs));
  const isNamed = rest.some((each) => each.startsWith('test/'));
  const tier = tiers[0] ?? (isNamed ? '--all' : undefined);
  const config = tier === undefined ? 'jest.config.js' : configs[tier];
  const at = rest.findIndex((each) => each === '--changed' || each.startsWith('--changed='));
  if (at < 0) return { config, others: rest };
  const [option, next] = rest.slice(at, at + 2);
  const isNext = option === '--changed' && next !== undefined && !next.startsWith('-');
  const changed = isNext ? next : option.slice('--changed='.length) || 'HEAD';
  return { config, changed, others: rest.toSpliced(at, isNext ? 2 : 1) };
}
