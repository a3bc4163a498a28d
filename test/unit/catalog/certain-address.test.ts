import fc from 'fast-check';
import { parseAddress as parseMysql } from '../../../runtime/src/dialect/mysql/catalog/address.js';
import { parseAddress as parsePostgres } from '../../../runtime/src/dialect/postgres/catalog/connection/address.js';
import { isBrokerAddress } from '../../../runtime/src/certain-address.js';
import { loadSettings } from '../../../runtime/src/settings/load-settings.js';

/** No part of a password is shown: an address that can be read in two ways is refused. */

const shownOf = (read: () => { readonly display: string }): string | undefined => {
  try {
    return read().display;
  } catch (error) {
    expect(String(error) + JSON.stringify(error)).not.toContain('secret');
    return undefined;
  }
};

const kinds = [
  ['postgres', parsePostgres],
  ['mysql', parseMysql],
] as const;

describe.each(kinds)('%s', (scheme, parse) => {
  const shown = (text: string): string | undefined => shownOf(() => parse(text));

  test('a password with characters that end a part of the address', () => {
    const part = fc.constantFrom(
      'secret',
      '@',
      '/',
      '?',
      '#',
      ':',
      '%',
      '%40',
      '&',
      '=',
      '1',
      '.',
      '[',
      ']',
      '\\',
      ' ',
    );
    const password = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(password, (raw) => {
        expect([undefined, `${scheme}://u@db/app`]).toContain(shown(`${scheme}://u:${raw}@db/app`));
      }),
      { numRuns: 2_000 },
    );
  });

  test.each(['u:top@secret/x@db/app', 'u:1@secret?x@db/app', 'u@secret#x@db/app', 'u:p@db/app?password=1#secret@x'])(
    '%s is refused',
    (rest) => {
      expect(shown(`${scheme}://${rest}`)).toBeUndefined();
    },
  );

  test('parameters that may hold a secret are not shown', () => {
    const names = ['password', 'PASSWORD', 'sslpassword', 'passfile', 'ssl', 'options', 'sslkey', 'unheard-of'];
    const query = names.map((name) => `${name}=secret`).join('&');
    expect(shown(`${scheme}://u:secret@db/app?${query}`)).toBe(`${scheme}://u@db/app`);
  });
});

const settings = [
  'APP_DATASOURCE_URL',
  'DATABASE_URL',
  'APP_DATASOURCE_REPLICAS',
  'APP_CHANGES_URL',
  'APP_CHANGES_HUB_URL',
  'APP_LIMITS_RATE_STORE',
];
test.each(settings)('a server does not start with a doubtful address in %s, and does not show it', (name) => {
  const certain = 'postgres://u:p@db/app';
  const doubtful = 'postgres://u:top@secret/x@db/app';
  const load = (text: string) => () => loadSettings({}, { [name]: text });
  expect(load(certain)).not.toThrow();
  for (const text of [doubtful, `${certain},${doubtful}`]) {
    expect(load(text)).toThrow(`(${name}) cannot be read`);
    expect(load(text)).not.toThrow('secret');
  }
});

test.each([
  ['redis://host:6379', true],
  ['redis://u:p%25@host:6379/2', true],
  // Each part is decoded by itself.
  ['redis://u%4:1p@host:6379', false],
  ['nats://u:p@host:4222/x', true],
  ['redis://host:6379/x', false],
  ['redis://u:p%@host:6379', false],
  ['nats://u%:p@host:4222', false],
  ['host', false],
])('a client of Redis or NATS reads %s: %s', (address, isRead) => {
  expect(isBrokerAddress(address)).toBe(isRead);
});
