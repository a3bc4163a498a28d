import { callsPerRow, isCurrentSetting, rewrite, uncheckedCasts } from '../../src/doctor/sql/calls.js';
import { comparedColumns, comparedInSelects } from '../../src/doctor/sql/comparisons.js';
import { parseSql } from '../../src/doctor/sql/tree.js';
import { table } from '../support/catalog.js';

const wrapped = (text: string): string =>
  rewrite(
    text,
    callsPerRow(parseSql(text), (parts) => isCurrentSetting(parts) || parts.join('.') === 'app.uid'),
    (piece) => `(SELECT ${piece})`,
  );

describe('calls for each row', () => {
  test.each([
    ['(owner = app.uid())', '(owner = (SELECT app.uid()))'],
    ['(owner = ( SELECT app.uid() AS uid))', undefined],
    [
      "(owner = (NULLIF(current_setting('a'::text, true), ''::text))::integer)",
      "(owner = (SELECT (NULLIF(current_setting('a'::text, true), ''::text))::integer))",
    ],
    [
      "(((current_setting('c'::text, true))::json ->> 'sub'::text) = owner)",
      "((SELECT ((current_setting('c'::text, true))::json ->> 'sub'::text)) = owner)",
    ],
    ['(app.uid() IS NOT NULL)', '(SELECT (app.uid() IS NOT NULL))'],
    ['(app.uid(owner) = 1)', undefined],
    ["(visibility = 'public'::app.visibility)", undefined],
    [
      "(name = ANY (string_to_array(current_setting('q'::text, true), ','::text)))",
      "(name = ANY (string_to_array((SELECT current_setting('q'::text, true)), ','::text)))",
    ],
    [
      '(EXISTS ( SELECT 1 FROM app.m WHERE (m.uid = app.uid())))',
      '(EXISTS ( SELECT 1 FROM app.m WHERE (m.uid = (SELECT app.uid()))))',
    ],
    ["(note = 'app.uid()'::text)", undefined],
    ['("app.uid()" = 1)', undefined],
  ])('%s', (text, expected) => {
    expect(wrapped(text)).toBe(expected ?? text);
  });
});

const checked = (text: string): string =>
  rewrite(
    text,
    uncheckedCasts(parseSql(text), (type) => type !== 'text'),
    (piece) => `NULLIF(${piece}, '')`,
  );

describe('casts of what may be empty', () => {
  test.each([
    [
      "(owner = (current_setting('a'::text, true))::integer)",
      "(owner = (NULLIF(current_setting('a'::text, true), ''))::integer)",
    ],
    ["(owner = (NULLIF(current_setting('a'::text, true), ''::text))::integer)", undefined],
    ["(owner = (current_setting('a'::text, true))::text)", undefined],
    [
      "((((current_setting('c'::text))::json ->> 'sub'::text))::integer = id)",
      "((((NULLIF(current_setting('c'::text), ''))::json ->> 'sub'::text))::integer = id)",
    ],
    [
      "(id = (COALESCE(current_setting('q'::text), '0'::text))::integer)",
      "(id = (COALESCE(NULLIF(current_setting('q'::text), ''), '0'::text))::integer)",
    ],
    ["CASE WHEN (current_setting('a') <> ''::text) THEN (id = (current_setting('a'))::bigint) END", undefined],
    [
      "select current_setting('a', true)::double precision",
      "select NULLIF(current_setting('a', true), '')::double precision",
    ],
    ["select cast(current_setting('a', true) as int)", "select cast(NULLIF(current_setting('a', true), '') as int)"],
    ["(x = string_to_array(current_setting('a'), ',')::int[])", undefined],
  ])('%s', (text, expected) => {
    expect(checked(text)).toBe(expected ?? text);
  });
});

const compared = (text: string): unknown =>
  comparedColumns(table('app.t', []), text)?.map((each) => each.map(({ column }) => column));

describe('columns that a policy compares', () => {
  test.each([
    ['(owner = ( SELECT app.uid() AS uid))', [['owner']]],
    ['(( SELECT app.uid() AS uid) = owner)', [['owner']]],
    ['(shared OR (owner = app.uid()))', undefined],
    ['((a = app.uid()) OR (b = app.uid()))', [['a'], ['b']]],
    ['((a = app.uid()) AND (b = app.uid()))', [['a', 'b']]],
    ["((a = app.uid()) AND (status <> 'x'::text))", [['a']]],
    ["(status = 'x'::text)", undefined],
    ["((name)::text = current_setting('a'::text, true))", [['name']]],
    ['((id)::text = ( SELECT app.uid()))', [['id']]],
    ['(lower(name) = ( SELECT app.uid()))', undefined],
    ['(id IN ( SELECT m.id FROM app.m))', undefined],
    ['(id = ANY (ARRAY( SELECT m.id FROM app.m)))', [['id']]],
    ['true', undefined],
  ])('%s', (text, expected) => {
    expect(compared(text)).toEqual(expected);
  });

  test('in sub-selects', () => {
    const text =
      '(EXISTS ( SELECT 1 FROM (app.m JOIN app.g g_1 ON ((g_1.id = m.g))) WHERE ((m.t = t.id) AND (m.uid = app.uid()))))';
    expect(comparedInSelects(text)).toEqual([
      [
        { table: 'app.m', column: 't', asText: false },
        { table: 'app.m', column: 'uid', asText: false },
      ],
    ]);
    expect(comparedInSelects('(id IN ( SELECT p.id FROM app.p p))')).toEqual([]);
  });
});
