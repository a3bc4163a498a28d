import { ServerError, codes } from '../../../errors.js';
import type { ArgumentDescriptor, ComputedDescriptor } from '../../../descriptor/descriptor.js';
import type { Table } from '../../../descriptor/registry.js';
import { computedDescriptor } from '../grammar/computed-name.js';
import { nearest } from '../../../nearest.js';
import type { ComputedField, GivenArguments, Value } from '../../../plan/intent.js';
import { malformedParameter, quoteName } from '../grammar/malformed.js';
import type { SelectItem } from '../grammar/select.js';
import type { ArgumentToken } from '../grammar/tokens.js';

/**
 * The arguments that the parameters `field(argument)=value` of a scope give to its computed fields.
 * If `select` gives the field an alias, the parameter names the alias, as it does for embedded
 * tables. A parameter without an alias holds wherever the field is used.
 */
export interface GivenToComputed {
  /** The arguments of a field in a filter or an order. `name` is its GraphQL field. */
  readonly field: (name: string) => Pick<ComputedField, 'arguments'>;
  /** The arguments of a selected field. */
  readonly selected: (name: string, alias: string | undefined) => Pick<ComputedField, 'arguments'>;
}

export const nothingGiven: GivenToComputed = { field: () => ({}), selected: () => ({}) };

/**
 * Throws ServerError 400 for an argument that the computed field does not have, and for an argument
 * that occurs twice.
 */
export function givenToComputed(
  tokens: readonly ArgumentToken[] | undefined,
  items: readonly SelectItem[],
  table: Table,
): GivenToComputed {
  if (tokens === undefined) return nothingGiven;
  const [fields, aliases] = [new Map<string, Inputs>(), new Map<string, Inputs>()];
  for (const token of tokens) {
    const aliased = items.find((item) => item.kind === 'column' && item.alias === token.field);
    const name = aliased?.kind === 'column' ? aliased.column : token.field;
    const computed = table.byRestName.has(name) ? undefined : computedDescriptor(table, name);
    if (computed === undefined) throw unknownField(token, table);
    const [owners, key] = aliased === undefined ? [fields, computed.name] : [aliases, token.field];
    const inputs: Inputs = owners.get(key) ?? new Map<number, number[]>();
    owners.set(key, inputs);
    addInput(inputs, token, computed);
  }
  const field = (name: string): Pick<ComputedField, 'arguments'> => givenBy(fields.get(name));
  return {
    field,
    selected: (name, alias) => {
      const own = alias === undefined ? undefined : aliases.get(alias);
      return own === undefined ? field(name) : givenBy(own);
    },
  };
}

/** The numbers of the inputs that give an argument, by its position. */
type Inputs = Map<number, number[]>;

function addInput(inputs: Inputs, { argument, input }: ArgumentToken, computed: ComputedDescriptor): void {
  const all = computed.arguments ?? [];
  const position = all.findIndex((each) => each.name === argument || nameOf(each) === argument);
  if (position === -1) throw unknownArgument(argument, computed);
  const known = inputs.get(position);
  if (known === undefined) inputs.set(position, [input]);
  else if (all[position]?.mode === 'variadic') known.push(input);
  else throw malformedParameter(`${computed.name}(${argument})`, 'it is there twice.', 'Give it once.');
}

const nameOf = ({ name, field }: ArgumentDescriptor): string => field ?? name;

function givenBy(inputs: Inputs | undefined): Pick<ComputedField, 'arguments'> {
  if (inputs === undefined) return {};
  const given: GivenArguments = [...inputs].map(([position, numbers]) => ({ position, value: textValue(numbers) }));
  return { arguments: given };
}

/** The text that was given, or the list of texts. */
const textValue = ([first, ...more]: readonly number[]): Value => ({
  form: 'text',
  read: (inputs) => {
    const at = (index: number | undefined): unknown => (inputs as readonly unknown[])[index ?? 0];
    return more.length === 0 ? at(first) : [first, ...more].map(at);
  },
});

function unknownField({ field, argument }: ArgumentToken, table: Table): ServerError {
  const names = (table.computed ?? []).filter((each) => each.arguments !== undefined).map(({ name }) => name);
  const meant = nearest(field, names);
  const message = `Parameter "${field}(${argument})": ${quoteName(table.name)} has no computed field ${quoteName(field)}.`;
  return new ServerError(400, codes.unknownColumn, message, {
    hint: meant === undefined ? undefined : `Did you mean ${quoteName(meant)}?`,
  });
}

function unknownArgument(argument: string, { name, arguments: all = [] }: ComputedDescriptor): ServerError {
  const names = all.map(nameOf).join(', ');
  return malformedParameter(
    `${name}(${argument})`,
    'the field has no such argument.',
    names === '' ? 'It has no arguments.' : `Arguments: ${names}.`,
  );
}
