import { compareText } from '../../../runtime/src/compare-text.js';
import {
  isCanonical,
  legalName,
  legalStart,
  lowerCamel,
  pascal,
  withSuffix,
} from '../../../runtime/src/model/names.js';

describe('names (decision 001)', () => {
  it.each([
    ['issues', 'Issues'],
    ['issue_labels', 'IssueLabels'],
    ['Just A Model', 'JustAModel'],
    ['fooBar', 'FooBar'],
    ['a.b', 'AB'],
    ['_private', 'Private'],
    ['größe', 'Gr_u00f6_u00dfe'],
    ['ß', '_u00df'],
    ['الطلاب', '_u0627_u0644_u0637_u0644_u0627_u0628'],
    ['🚀', '_u1f680'],
    ['__', '_u005f_'],
    ['"', '_'],
  ])('pascal(%j) is %j', (name, expected) => {
    expect(pascal(name)).toBe(expected);
  });

  it('never singularises or pluralises', () => {
    expect([pascal('person'), pascal('people')]).toEqual(['Person', 'People']);
  });

  it.each([
    ['kanban', 'kanban'],
    ['my_schema', 'mySchema'],
    ['MySchema', 'mySchema'],
  ])('lowerCamel(%j) is %j', (name, expected) => {
    expect(lowerCamel(name)).toBe(expected);
  });

  it.each([
    ['story_points', 'story_points'],
    ['Just A Model', 'Just_A_Model'],
    ['1st', '_1st'],
    ['naïve', 'na_u00efve'],
    ['__proto__', '_u005f_proto__'],
    ['constructor', 'constructor'],
    ['and', 'and_'],
    ['true', 'true_'],
    ['  x', '_u005f_x'],
    ['', '_'],
  ])('legalName(%j) is %j', (name, expected) => {
    expect(legalName(name)).toBe(expected);
  });

  it('makes legal names of any text', () => {
    for (const name of ['\u2028', '${x}', '*/', '../x', 'con', 'é'.normalize('NFD'), '\ud800']) {
      expect(legalName(name)).toMatch(/^(?!__)[_A-Za-z][_0-9A-Za-z]*$/);
      expect(legalStart(pascal(name))).toMatch(/^(?!__)[_A-Za-z][_0-9A-Za-z]*$/);
    }
  });

  it('knows the form that derived names go back to', () => {
    expect(['foo_bar', 'a1'].every(isCanonical)).toBe(true);
    expect(['fooBar', 'foo bar', '_foo', 'foo__bar', '1st', 'ä'].some(isCanonical)).toBe(false);
  });

  it('joins a suffix without making two underscores', () => {
    expect([withSuffix('a', '_1f'), withSuffix('_', '_1f'), withSuffix('a', 'ById')]).toEqual(['a_1f', '_1f', 'aById']);
  });

  it('compares by code point, not by UTF-16 unit', () => {
    expect(['\u{10000}', '\uffee', 'a', 'B', ''].sort(compareText)).toEqual(['', 'B', 'a', '\uffee', '\u{10000}']);
  });
});
