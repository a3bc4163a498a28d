import type { Catalog, Routine } from '../../../catalog/catalog.js';
import type { ArgumentDescriptor, FunctionDescriptor } from '../../../descriptor/descriptor.js';
import { inputsOf } from '../../../model/listed-functions.js';
import { summed } from './tables.js';
import { ifAny, parameterOf, referenceTo, schemaOf, severalOf, type Schema, type TypeContext } from './types.js';

/** The path of a function. Of overloads, which share it, the first one is shown. */
export function describeFunction(called: FunctionDescriptor, context: TypeContext): Schema {
  const { name, operation } = called;
  const facts = factsOf(called, context.catalog);
  const comment = facts?.comment ?? called.description;
  const common = {
    tags: [`(rpc) ${name}`],
    ...summed(comment),
    produces: [
      'application/json',
      'application/vnd.pgrst.object+json;nulls=stripped',
      'application/vnd.pgrst.object+json',
    ],
    responses: { 200: { description: 'OK' } },
  };
  const given = called.arguments
    .filter(({ mode }) => mode !== 'out')
    .map((argument, at): Given => ({ argument, type: typeIn(facts, at) }));
  const post = { ...common, parameters: [bodyOf(given, comment, context), referenceTo('parameters', 'preferParams')] };
  if (operation === 'mutation') return { post };
  const isNamed = given.every(({ argument }) => argument.name !== '');
  const get = { ...common, parameters: given.map((each) => queryParameter(each, context)) };
  return isNamed ? { get, post } : { post };
}

interface Given {
  readonly argument: ArgumentDescriptor;
  readonly type: Routine['arguments'][number]['type'] | undefined;
}

function queryParameter({ argument, type }: Given, context: TypeContext): Schema {
  const { name, mode } = argument;
  const schema =
    mode === 'variadic' ? severalOf(argument.type, type, context) : parameterOf(argument.type, type, context);
  return { name, required: argument.hasDefault !== true, in: 'query', ...schema };
}

/** One argument without a name is the body itself. */
function bodyOf(given: readonly Given[], comment: string | null | undefined, context: TypeContext): Schema {
  const parameter = { name: 'args', required: true, in: 'body' };
  const [first] = given;
  if (first?.argument.name === '') return { ...parameter, schema: schemaOf(first.argument.type, first.type, context) };
  const required = given.filter(({ argument }) => argument.hasDefault !== true).map(({ argument }) => argument.name);
  const properties = given.map(({ argument, type }) => [argument.name, schemaOf(argument.type, type, context)]);
  return {
    ...parameter,
    schema: {
      ...ifAny('description', comment ?? ''),
      ...ifAny('required', required),
      type: 'object',
      properties: Object.fromEntries(properties) as Schema,
    },
  };
}

/** Finds a function in the catalogue. Overloads differ in the names of their arguments. */
function factsOf(
  { schema, name, arguments: given }: FunctionDescriptor,
  catalog: Catalog | undefined,
): Routine | undefined {
  const namesOf = (all: readonly { readonly name: string }[]): string => JSON.stringify(all.map((each) => each.name));
  const names = namesOf(given.filter(({ mode }) => mode !== 'out'));
  return catalog?.routines.find(
    (each) => each.schema === schema && each.name === name && namesOf(inputsOf(each)) === names,
  );
}

const typeIn = (routine: Routine | undefined, at: number): Given['type'] => routine && inputsOf(routine)[at]?.type;
