import {
  KnownTypeNamesRule,
  NoSchemaIntrospectionCustomRule,
  VariablesInAllowedPositionRule,
  specifiedRules,
  visit,
  type GraphQLError,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import { typeNames } from '../../schema/list-types.js';
import type { Settings } from '../../settings/settings.js';

/** The rules of validation: graphql-js's, some of them in our way. */
export function rulesOf(settings: Settings): readonly ValidationRule[] {
  const rules = specifiedRules.map((rule) => own.get(rule) ?? rule);
  return settings['app.graphql.introspection'] ? rules : [...rules, NoSchemaIntrospectionCustomRule];
}

const own: ReadonlyMap<ValidationRule, ValidationRule> = new Map([
  [KnownTypeNamesRule, knownTypeNames],
  [VariablesInAllowedPositionRule, variablesInAllowedPosition],
]);

/**
 * Looks the document's types up by name. graphql-js's rule begins with the list of all types, which
 * takes most of a second to make where there are a thousand tables: for its suggestions their names
 * are enough.
 */
function knownTypeNames(context: ValidationContext): ReturnType<ValidationRule> {
  const schema = context.getSchema();
  const unknown: string[] = [];
  visit(context.getDocument(), {
    NamedType: ({ name }) => {
      if (schema.getType(name.value) === undefined) unknown.push(name.value);
    },
  });
  if (unknown.length === 0) return {};
  const names = Object.fromEntries(typeNames(schema).map((name) => [name, true]));
  const named = Object.create(context, {
    getSchema: { value: () => ({ getTypeMap: () => names }) },
  }) as ValidationContext;
  return KnownTypeNamesRule(named);
}

/**
 * A search is a String or `{query, config}` (decisions 3), which only a scalar can be to GraphQL:
 * variables may be Strings too.
 */
function variablesInAllowedPosition(context: ValidationContext): ReturnType<ValidationRule> {
  const lenient = Object.create(context, {
    reportError: {
      value: (error: GraphQLError) => {
        if (!/of type "String!?" used in position expecting type "TextSearch!?"/.test(error.message))
          context.reportError(error);
      },
    },
  }) as ValidationContext;
  return VariablesInAllowedPositionRule(lenient);
}
