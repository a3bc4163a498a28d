import { parseArguments } from '../support/run/arguments.js';

const quick = { config: 'jest.config.js' };

test.each<[args: string, parsed: object]>([
  ['', { ...quick, others: [] }],
  ['-t name', { ...quick, others: ['-t', 'name'] }],
  ['test/unit -t name', { config: 'jest.all.config.js', others: ['test/unit', '-t', 'name'] }],
  ['--all', { config: 'jest.all.config.js', others: [] }],
  ['--soak test/hostile', { config: 'jest.soak.config.js', others: ['test/hostile'] }],
  ['--changed', { ...quick, changed: 'HEAD', others: [] }],
  ['--changed main', { ...quick, changed: 'main', others: [] }],
  ['--changed=HEAD~2 --silent', { ...quick, changed: 'HEAD~2', others: ['--silent'] }],
  ['--changed --all --silent', { config: 'jest.all.config.js', changed: 'HEAD', others: ['--silent'] }],
])('npm test -- %s', (args, parsed) => {
  expect(parseArguments(args.split(' ').filter((each) => each !== ''))).toEqual(parsed);
});

test('two tiers at once are refused', () => {
  expect(() => parseArguments(['--all', '--soak'])).toThrow('Choose one of --all and --soak.');
});
