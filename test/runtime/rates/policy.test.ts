import { networkOf, createAddressOf } from '../../../runtime/src/http/client-address.js';
import { countsOf, limitField, policiesOf, policyField } from '../../../runtime/src/extensions/rates/policy.js';
import type { Use } from '../../../runtime/src/execute/admission.js';
import { createRateStore } from '../../../runtime/src/extensions/rates/store.js';
import { parseRates, type Rate } from '../../../runtime/src/settings/rates.js';

const use = (operations: Readonly<Record<string, number>> = {}, cost = 1): Use => ({
  operations: new Map(Object.entries(operations)),
  cost,
});

test.each([
  ['{', 'it is not JSON'],
  ['{}', 'it has to be a list'],
  ['[1]', 'rate 1: it has to be an object'],
  [
    '[{"per": "day", "requests": 1, "seconds": 1}]',
    'rate 1: `per` has to be one of address, user, role, tenant, operation',
  ],
  ['[{"per": "user", "seconds": 1}]', 'rate 1: it needs `requests` or `cost`'],
  ['[{"per": "user", "requests": 1}]', 'rate 1: `seconds` has to be a whole number from 1 to 86400'],
  ['[{"per": "user", "requests": 1, "seconds": 86401}]', 'rate 1: `seconds` has to be'],
  ['[{"per": "user", "requests": 0, "seconds": 1}]', 'rate 1: `requests` has to be a whole number, 1 or more'],
  ['[{"per": "user", "cost": 1.5, "seconds": 1}]', 'rate 1: `cost` has to be a whole number, 1 or more'],
  ['[{"per": "user", "cost": 1, "seconds": 1, "role": ""}]', 'rate 1: `role` has to be a text'],
  [
    '[{"per": "user", "cost": 1, "seconds": 1}, {"per": "user", "request": 1, "seconds": 1}]',
    'rate 2: `request` is unknown: there are per, requests, cost, seconds, role, operation',
  ],
])('%s is refused', (text, problem) => {
  expect(parseRates(text)).toContain(problem);
});

test('narrow policies come first, and each has a name', () => {
  const rates: readonly Rate[] = [
    { per: 'operation', requests: 5, seconds: 1 },
    { per: 'user', requests: 10, cost: 100, seconds: 60 },
    { per: 'user', requests: 1000, seconds: 3600 },
    { per: 'address', operation: 'login', requests: 5, seconds: 60 },
    { per: 'address', requests: 50, seconds: 60 },
  ];
  const policies = policiesOf(rates);
  expect(policies.map(({ name }) => name)).toEqual([
    'address login',
    'address',
    'user',
    'user cost',
    'user 2',
    'operation',
  ]);
  expect(policies.filter(({ isEarly }) => isEarly).map(({ name }) => name)).toEqual(['address']);
});

describe('what a policy counts', () => {
  const sender = { address: '192.0.2.1', identity: { userId: 'ann', role: 'free' } };
  const counts = (rate: Rate, of = sender, asked = use({ login: 3, items: 1 }, 40)) =>
    policiesOf([rate]).flatMap((policy) => [...countsOf(policy, of, asked)]);

  test.each<[Rate, (readonly [string, number])[]]>([
    [{ per: 'address', requests: 1, seconds: 1 }, [['192.0.2.1', 1]]],
    [
      { per: 'user', requests: 1, cost: 1, seconds: 1 },
      [
        ['ann', 1],
        ['ann', 40],
      ],
    ],
    [{ per: 'user', role: 'free', cost: 1, seconds: 1 }, [['ann', 40]]],
    [{ per: 'user', role: 'paid', cost: 1, seconds: 1 }, []],
    [{ per: 'role', requests: 1, seconds: 1 }, [['free', 1]]],
    [
      { per: 'operation', requests: 1, seconds: 1 },
      [
        ['login', 3],
        ['items', 1],
      ],
    ],
    [{ per: 'operation', operation: 'login', requests: 1, seconds: 1 }, [['login', 3]]],
    [{ per: 'address', operation: 'login', requests: 1, seconds: 1 }, [['192.0.2.1', 3]]],
    [{ per: 'address', operation: 'logout', requests: 1, seconds: 1 }, []],
  ])('%j', (rate, expected) => {
    expect(counts(rate)).toEqual(expected);
  });

  test('a request without a user has no user to be counted by', () => {
    expect(
      policiesOf([{ per: 'user', requests: 1, seconds: 1 }]).flatMap((each) => countsOf(each, { address: 'a' }, use())),
    ).toEqual([]);
  });

  test('a long key is hashed', () => {
    const [counted] = counts(
      { per: 'user', requests: 1, seconds: 1 },
      {
        address: 'a',
        identity: { userId: 'x'.repeat(5000), role: 'free' },
      },
    );
    expect([counted?.[0].length, counted?.[1]]).toEqual([43, 1]);
  });
});

test('headers are structured fields', () => {
  const [plain, cost] = policiesOf([{ per: 'user', role: 'ä"\\', requests: 100, cost: 5000, seconds: 60 }]);
  if (plain === undefined || cost === undefined) throw new Error('two policies');
  expect(policyField(plain)).toBe('"user ?\\"\\\\";q=100;w=60');
  expect(policyField(cost)).toBe('"user ?\\"\\\\ cost";q=5000;qu="cost";w=60');
  expect(limitField({ policy: plain, remaining: 99, seconds: 30 })).toBe('"user ?\\"\\\\";r=99;t=30');
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  [' 192.0.2.1:8080', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['[2001:DB8:1:2::1]:443', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['unknown', undefined],
  ['', undefined],
])('%s is counted as %s', (text, network) => {
  expect(networkOf(text)).toBe(network);
});

test('behind a proxy, the last entry that it has added counts', () => {
  const request = (forwarded: string) =>
    ({ headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress: '10.0.0.1' } }) as never;
  const [behind, direct] = [true, false].map((trusts) => createAddressOf({ 'app.server.trust-proxy': trusts }));
  expect(behind?.(request('203.0.113.9, 192.0.2.1'))).toBe('192.0.2.1');
  expect(behind?.(request('nonsense'))).toBe('10.0.0.1');
  expect(direct?.(request('192.0.2.1'))).toBe('10.0.0.1');
});

describe('the memory of a process', () => {
  test('what is refused takes nothing', async () => {
    const [policy] = policiesOf([{ per: 'user', cost: 100, seconds: 60 }]);
    if (policy === undefined) throw new Error('a policy');
    const store = await createRateStore([policy], 'memory', () => undefined);
    expect(await store.take(policy, 'ann', 70)).toMatchObject({ exceeded: false, remaining: 30 });
    expect(await store.take(policy, 'ann', 50)).toMatchObject({ exceeded: true, remaining: 30 });
    expect(await store.take(policy, 'ann', 30)).toMatchObject({ exceeded: false, remaining: 0 });
  });

  test('keys are bounded: a busy one stays, an old one is forgotten', async () => {
    const rates = Array.from({ length: 1000 }, (): Rate => ({ per: 'address', requests: 1000, seconds: 60 }));
    const policies = policiesOf(rates);
    const [policy] = policies;
    if (policy === undefined) throw new Error('a policy');
    const store = await createRateStore(policies, 'memory', () => undefined);
    await store.take(policy, 'old', 1);
    for (let at = 0; at < 300; at += 1) {
      await store.take(policy, `flood ${String(at)}`, 1);
      await store.take(policy, 'busy', 1);
    }
    expect(await store.take(policy, 'busy', 1)).toMatchObject({ remaining: 699 });
    expect(await store.take(policy, 'old', 1)).toMatchObject({ remaining: 999 });
  });

  test('an address that is none of a Redis is refused', async () => {
    const policies = policiesOf([{ per: 'user', requests: 1, seconds: 1 }]);
    await expect(createRateStore(policies, 'localhost:6379', () => undefined)).rejects.toMatchObject({ code: 'TW018' });
  });
});
