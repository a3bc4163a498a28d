import type { ColumnType } from '../../../descriptor/descriptor.js';
import type { Form, Parameter } from '../../../plan/parameter.js';
import { malformed } from '../../malformed.js';
import { affix, checkedJson, checkedPattern, scalarText, type Encode } from '../../sql/encode.js';
import { comparedAs } from '../comparison.js';
import { arrayOf, int4, jsonb, other, text } from '../types.js';
import { arrayText, jsonEncoder, listEncoder, textEncoder, type Types } from './encode.js';
import { writeVector } from './vector.js';

/** The encoder of values of a form. */
export function encoderOf({ as, value, type }: Parameter, types: Types): Encode {
  const encodeOne = (): Encode => (value.form === 'text' ? textEncoder(type) : jsonEncoder(type, types));
  switch (as) {
    case 'value':
      return encodeOne();
    case 'list':
      return listEncoder(arrayOf(comparedAs(type)), encodeOne());
    case 'texts':
      return texts;
    case 'contains':
    case 'prefix':
    case 'suffix':
      return affix(as, escaped);
    case 'pattern':
      return value.form === 'text' ? urlPattern : checkedPattern;
    case 'json':
      return value.form === 'text' ? (given) => checkedJson(scalarText(given)) : jsonEncoder(jsonb, types);
    case 'jsonPath':
      return jsonPath;
    case 'integer':
      return integer;
    case 'vector':
      return (given) => writeVector(given, type.dimension);
    case 'compared':
    case 'text':
    case 'regex':
    case 'searchQuery':
    case 'searchConfiguration':
      return scalarText;
  }
}

const regconfig = other('regconfig');
const jsonpath = other('jsonpath');

/** The type to which an operand of each form is cast. */
export function operandType(as: Form, type: ColumnType): ColumnType {
  switch (as) {
    case 'value':
    case 'compared':
      return comparedAs(type);
    case 'list':
      return arrayOf(comparedAs(type));
    case 'texts':
      return arrayOf(text);
    case 'json':
      return jsonb;
    case 'jsonPath':
      return jsonpath;
    case 'searchConfiguration':
      return regconfig;
    case 'integer':
      return int4;
    case 'vector':
      return type;
    default:
      return text;
  }
}

/** A list of texts, or (REST) an array literal. */
const texts: Encode = (value) =>
  Array.isArray(value) ? listEncoder(text, scalarText)(value) : arrayText(scalarText(value));

/** The operand of LIKE. Only over REST `*` stands for `%`, which a URL would have to escape. */
const urlPattern: Encode = (given) => scalarText(given).replaceAll('*', '%');

/** `%`, `_` and the escape character lose their meaning. */
const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** PostgreSQL parses the path. An empty path would be a syntax error of another class. */
const jsonPath: Encode = (given) => {
  const path = scalarText(given);
  if (path.trim() === '')
    throw malformed('The JSON path is empty.', 'A JSON path is like $.tags[*] ? (@ == "urgent").');
  return path;
};

const integer: Encode = (given) => {
  const written = scalarText(given);
  if (!/^-?\d{1,9}$/.test(written))
    throw malformed(`A whole number was expected, not ${JSON.stringify(written.slice(0, 40))}.`);
  return written;
};
