import { validatedBy } from '../../../../runtime/src/dialect/mysql/catalog/json-columns.js';
import { readDefinition } from '../../../../runtime/src/dialect/mysql/catalog/view-query.js';

test.each([
  ['json_valid(`a`)', ['a']],
  ['json_valid(`a``b`)', ['a`b']],
  ['json_valid(`a`) = 1', ['a']],
  ['`a` is null or json_valid(`a`)', ['a']],
  ['json_valid(`a`) or `a` is null', ['a']],
  ['(`a` is null) or (json_valid(`a`) and json_length(`a`) < 10)', ['a']],
  ['json_valid(`a`) and json_length(`a`) between 1 and 10', ['a']],
  ['(`a` is null or json_valid(`a`)) and (`b` > 1 or `c` > 1) and json_valid(`b`)', ['a', 'b']],
  ['json_valid(`a`) and `b` > 1 or json_valid(`a`) and `b` < 0', ['a']],
  ['`b` is null or json_valid(`a`)', []],
  ['`a` is null or `b` is null or json_valid(`a`)', []],
  ['`a` is not null or json_valid(`a`)', []],
  ["`a` = '' or json_valid(`a`)", []],
  ['!json_valid(`a`)', []],
  ['not json_valid(`a`)', []],
  ['json_valid(`a`) = 0', []],
  ['json_valid(`a`) xor json_valid(`b`)', []],
  ['case when json_valid(`a`) then 1 else 1 end', []],
  ['case when `b` or json_valid(`a`) then 1 end or `a` is null', []],
  ['json_valid(lcase(`a`))', []],
  ["`b` <> 'json_valid(`a`)'", []],
])('the check %s says that %j hold JSON', (clause, columns) => {
  expect(validatedBy(clause)).toEqual(columns);
});

test.each([
  ["select json_object('x',`s`.`t`.`a`) AS `j` from `s`.`t`", true],
  ["select json_object('x',1) AS `j`", true],
  ["select json_object('x',1) AS `j` limit 1", true],
  ['select distinct json_arrayagg(`s`.`t`.`a`) AS `j` from `s`.`t`', true],
  ['select json_arrayagg(`s`.`t`.`a`) over ( order by `s`.`t`.`a`) AS `j` from `s`.`t`', true],
  ["select json_extract(`s`.`t`.`a`,'$.x') AS `j` from `s`.`t`", true],
  ["select concat(json_object('x',1),'x') AS `j` from `s`.`t`", false],
  ["select json_object('x',1) = `s`.`t`.`a` AS `j` from `s`.`t`", false],
  ["select json_unquote(json_extract(`s`.`t`.`a`,'$.x')) AS `j` from `s`.`t`", false],
  ['select `s`.`json_object`(1) AS `j` from `s`.`t`', false],
  ["select json_object('x',1) AS `j` union select 'text' AS `text`", false],
])('in %s j is JSON: %s', (definition, isJson) => {
  expect(readDefinition(definition).json.has('j')).toBe(isJson);
});
