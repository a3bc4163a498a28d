import { searchSlot } from '../../../runtime/src/dialect/mysql/parameters/search-query.js';

const query = (operator: string, text: string): string | null =>
  searchSlot(operator, {
    value: { read: () => text, form: 'text' },
    as: 'searchQuery',
    type: { kind: 'text', sql: { name: 'text' }, searchable: true },
  }).bind(undefined);

describe('the query of MATCH … AGAINST', () => {
  test.each([
    ['search', 'quick fox', '+"quick fox"@1000000'],
    ['search', ' fox ', '+"fox"'],
    ['search', '', ''],
    ['search', '"*-+@()~<>%\n', ''],
    ['search', `it's "e-mail"\n+me@x.org`, '+"it s e mail me x org"@1000000'],
    ['search', 'Čapek naïve 日本語 a_b', '+"Čapek naïve 日本語 a_b"@1000000'],
    ['phraseSearch', 'quick, fox', '+"quick fox"'],
    ['phraseSearch', '"', ''],
    ['webSearch', 'quick fox', '+"quick fox"@1000000'],
    ['webSearch', 'fox -lazy', '+"fox" -"lazy"'],
    ['webSearch', 'fox - lazy --dog', '+"fox dog"@1000000 -"lazy"'],
    ['webSearch', 'a or b c', '(+"a") (+"b c"@1000000)'],
    ['webSearch', 'or a OR "or" b', '(+"or a"@1000000) (+"or b"@1000000)'],
    ['webSearch', '"red fox" -"lazy dog"', '+"red fox"@1000000 +"red fox" -"lazy dog"'],
    ['webSearch', 'e-mail', '+"e mail"@1000000 +"e mail"'],
    ['webSearch', 'a "b c', '+"a b c"@1000000 +"b c"'],
    ['webSearch', 'a or', '+"a"'],
    ['webSearch', '-fox', '-"fox"'],
    ['webSearch', '- " or', '-"or"'],
    ['webSearch', '- *', ''],
    ['webSearch', '', ''],
    ['rawSearch', '+fox -(lazy', '+fox -(lazy'],
  ])('%s of %j is %j', (operator, text, expected) => {
    expect(query(operator, text)).toBe(expected);
  });

  test('a phrase has at most 61 words', () => {
    const words = Array.from({ length: 130 }, (_, n) => `w${String(n)}`);
    const parts = (operator: string): readonly number[] =>
      (query(operator, words.join(' ')) ?? '').split(' +').map((part) => part.split(' ').length);
    expect(parts('search')).toEqual([60, 60, 10]);
    expect(parts('phraseSearch')).toEqual([60, 61, 11]);
  });
});
