/** Most failed tests that are named. */
const mostNamed = 200;

/**
 * The outcome of the suites on a server, as Markdown. It has no address.
 * @param suites each with its tests: their names and statuses of Jest
 * @param notRun reasons, by suite
 * @param patterns the arguments that chose some of the suites
 */
export function summaryOf({ flavour, version, suites, notRun, patterns = [] }) {
  const rows = suites
    .map(({ suite, isBroken, tests }) => [suite, count(tests, 'passed'), failedOf(isBroken, tests), skippedOf(tests)])
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const sum = (at) => rows.reduce((all, row) => all + row[at], 0);
  const chosen = patterns.length === 0 ? [] : [`Only suites that match: ${patterns.join(', ')}`, ''];
  return [
    `## MySQL-style suites on ${flavour} ${version}`,
    '',
    `Node.js ${process.version}, ${process.platform}`,
    '',
    ...chosen,
    '| suite | passed | failed | not run |',
    '| --- | ---: | ---: | ---: |',
    ...[...rows, ['all', sum(1), sum(2), sum(3)]].map((row) => `| ${row.join(' | ')} |`),
    '',
    ...section(
      'Failed',
      namesOf(
        suites,
        ({ status }) => status === 'failed',
        ({ isBroken }) => isBroken,
      ),
    ),
    ...section('Not run', [
      ...namesOf(
        suites,
        ({ status }) => isSkipped(status),
        () => false,
      ),
      ...[...notRun].map(([suite, reason]) => `${suite}: ${reason}`),
    ]),
  ].join('\n');
}

const count = (tests, status) => tests.filter((each) => each.status === status).length;

/** A suite that did not load counts as one failure. */
const failedOf = (isBroken, tests) => count(tests, 'failed') + (isBroken ? 1 : 0);

const isSkipped = (status) =>
  status === 'pending' || status === 'todo' || status === 'skipped' || status === 'disabled';
const skippedOf = (tests) => tests.filter(({ status }) => isSkipped(status)).length;

const namesOf = (suites, isMeant, isWhole) =>
  suites.flatMap((each) => [
    ...(isWhole(each) ? [`${each.suite}: it did not load`] : []),
    ...each.tests.filter(isMeant).map(({ name }) => `${each.suite}: ${name}`),
  ]);

function section(title, names) {
  if (names.length === 0) return [];
  const more = names.length > mostNamed ? [`- and ${String(names.length - mostNamed)} more`] : [];
  return [`### ${title}`, '', ...names.slice(0, mostNamed).map((name) => `- ${name}`), ...more, ''];
}
