import { allocate, type Claim } from '../../../runtime/src/model/allocate.js';
import { refusalOf } from '../../support/refusal.js';

const claim = (id: string, preferredName: string, rank = 0, facts: Partial<Claim> = {}): Claim => ({
  id,
  rank,
  names: (suffix) => [preferredName + suffix],
  ...facts,
});

const namesOf = (claims: readonly Claim[], reserved?: ReadonlySet<string>): Readonly<Record<string, string>> => {
  const { suffixes } = allocate(claims, reserved);
  return Object.fromEntries(claims.map((each) => [each.id, each.names(suffixes.get(each.id) ?? '')[0] ?? '']));
};

describe('allocate', () => {
  it('leaves names alone that nobody else wants', () => {
    expect(namesOf([claim('a', 'A'), claim('b', 'B')])).toEqual({ a: 'A', b: 'B' });
  });

  it('lets the claim of lowest rank keep its name', () => {
    expect(namesOf([claim('fooBar', 'FooBar', 1), claim('foo_bar', 'FooBar', 0)])).toEqual({
      foo_bar: 'FooBar',
      fooBar: 'FooBar_5a906c',
    });
  });

  it('moves equals away together, each by its own database name', () => {
    const names = namesOf([claim('foo_1', 'Foo1'), claim('foo1', 'Foo1')]);
    expect(names['foo_1']).toMatch(/^Foo1_[0-9a-f]{6}$/);
    expect(names['foo1']).toMatch(/^Foo1_[0-9a-f]{6}$/);
    expect(names['foo_1']).not.toBe(names['foo1']);
  });

  it('does not depend on the order of claims, nor on claims that do not meet', () => {
    const claims = [claim('x y', 'Xy', 1), claim('x_y', 'Xy'), claim('x-y', 'Xy', 1)];
    const expected = namesOf(claims);
    expect(namesOf([...claims].reverse())).toEqual(expected);
    expect(namesOf([...claims, claim('other', 'Other')])).toMatchObject(expected);
  });

  it('tries readable suffixes before a hash', () => {
    const first = claim('a', 'parent', 0, { suffixes: ['ById'] });
    const second = claim('b', 'parent', 0, { suffixes: ['ByName'] });
    expect(namesOf([first, second])).toEqual({ a: 'parentById', b: 'parentByName' });
  });

  it('refuses a name of the configuration that a suffix would not change', () => {
    const chosen = claim('a', 'A', 1, {
      names: (suffix) => [`A${suffix}`, 'users'],
      keeps: (name) => name === 'users',
    });
    const message = 'The configuration renames a so that it needs the name users, which b has.';
    expect(refusalOf(() => allocate([chosen, claim('b', 'users')]))).toMatchObject({ code: 'NAME_COLLISION', message });
    expect(refusalOf(() => allocate([chosen, { ...chosen, id: 'b' }])).code).toBe('NAME_COLLISION');
    expect(refusalOf(() => allocate([chosen], new Set(['users']))).code).toBe('NAME_COLLISION');
    // A name that the other one gives up is no reason, nor is one that a suffix changes.
    expect(namesOf([chosen, claim('b', 'users', 2)])['b']).toMatch(/^users_[0-9a-f]{6}$/);
    expect(namesOf([chosen, claim('b', 'users', 1)])['b']).toMatch(/^users_[0-9a-f]{6}$/);
    expect(namesOf([chosen, claim('b', 'A')])['a']).toMatch(/^A_[0-9a-f]{6}$/);
  });

  it('gives nobody a reserved name', () => {
    expect(namesOf([claim('a', 'PageInfo')], new Set(['PageInfo']))['a']).toMatch(/^PageInfo_[0-9a-f]{6}$/);
  });

  it('keeps whole families apart', () => {
    const family = (id: string, type: string, rank: number): Claim => ({
      id,
      rank,
      names: (suffix) => [type + suffix, `${type}${suffix}Connection`],
    });
    const names = namesOf([family('issues', 'Issues', 0.1), family('issues_connection', 'IssuesConnection', 0.2)]);
    expect(names['issues']).toBe('Issues');
    expect(names['issues_connection']).toMatch(/^IssuesConnection_[0-9a-f]{6}$/);
  });

  it('refuses a configured name that is taken, with the rename to add', () => {
    const claims = [claim('s.a', 'B', 0, { fixed: 's.a' }), claim('s.b', 'B')];
    const refusal = refusalOf(() => allocate(claims));
    expect(refusal.code).toBe('NAME_COLLISION');
    expect(refusal.hint).toContain("rename: { 's.b'");
  });
});
