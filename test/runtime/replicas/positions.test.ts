import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import { replication } from '../../../runtime/src/dialect/postgres/replication.js';
import { covers, type Position } from '../../../runtime/src/dialect/position.js';
import { loadSettings } from '../../../runtime/src/settings/load-settings.js';
import { postgres } from '../../../runtime/src/dialect/postgres/dialect.js';
import { openReplicated } from '../../../runtime/src/extensions/replicas/index.js';
import { createVersions } from '../../../runtime/src/extensions/replicas/versions.js';

const position = (text: string): Position => {
  const parsed = replication.parse(text);
  if (parsed === undefined) throw new Error(`${text} is a position.`);
  return parsed;
};

/** The state that a server tells with this row. */
const stateOf = (...row: readonly string[]) =>
  replication.state({ run: () => Promise.resolve([row]) } as unknown as Driver);

test.each(['7.1.0/1', '18446744073709551615.4294967295.FFFFFFFF/FFFFFFFF'])('%s is a position', (text) => {
  expect(replication.format(position(text))).toBe(text);
});

test.each(['', '7', '7.1', '7.1.0', '7.1.0/', '7.1.0/1 ', 'x.1.0/1', '7.1.0/g', '7.1.0/123456789', '-7.1.0/1'])(
  '%j is no position',
  (text) => {
    expect(replication.parse(text)).toBeUndefined();
  },
);

test('a position covers earlier ones of its own history', () => {
  const own = position('7.1.1/0');
  expect(covers(own, own)).toBe(true);
  expect(covers(own, position('7.1.0/FFFFFFFF'))).toBe(true);
  expect(covers(own, position('7.1.1/1'))).toBe(false);
  expect(covers(own, position('7.2.0/1'))).toBe(false);
  expect(covers(undefined, own)).toBe(false);
});

test('a position behind the header of a page is the end of the page before', async () => {
  const row = ['f', '7', '0000000A 0/16B3748', '0/16B3000', '8192', '16777216'];
  const { role, term, positionOf, position: told, sent } = await stateOf(...row);
  expect([role, term, replication.format(told), replication.format(sent)]).toEqual([
    'primary',
    10,
    '7.10.0/16B3748',
    '7.10.0/16B3000',
  ]);
  const rounded = (lsn: string) => replication.format(positionOf(`0000000A ${lsn}`) ?? told);
  expect(rounded('0/2018')).toBe('7.10.0/2000');
  expect(rounded('0/2019')).toBe('7.10.0/2019');
  expect(rounded('3/1000028')).toBe('7.10.3/1000000');
  expect(rounded('3/2028')).toBe('7.10.3/2028');
  expect(positionOf('nothing')).toBeUndefined();
});

test('an answer to several writes has the latest version', () => {
  const headers = new Map<string, unknown>();
  const response = {
    headersSent: false,
    setHeader: (name: string, value: unknown) => headers.set(name, value),
  } as unknown as ServerResponse;
  const version = createVersions(replication)({ headers: {} } as unknown as IncomingMessage, response);
  for (const lsn of ['0/10', '0/30', '0/20']) version.wrote(position(`7.1.${lsn}`));
  expect([...headers]).toEqual([['x-data-version', '7.1.0/30']]);
});

test.each(['pglite:', 'mysql://root@127.0.0.1/app', 'nowhere'])('%s is refused as a replica', (address) => {
  const settings = loadSettings({}, { DATABASE_URL: 'postgres://a@127.0.0.1/a', APP_DATASOURCE_REPLICAS: address });
  expect(() => openReplicated(postgres, settings, 1, () => undefined)).toThrow(
    expect.objectContaining({ code: 'TW018' }) as Error,
  );
});
