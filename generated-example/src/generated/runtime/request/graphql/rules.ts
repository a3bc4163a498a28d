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
import type { Settings } from '../../settings.js';

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
 * Looks the document's types up by name. graphql-js's rule begins with the list of all types, which are only made for somebody who wants
 * it: here, to suggest what may be meant.
 */
function knownTypeNames(context: ValidationContext): ReturnType<ValidationRule> {
  const schema = context.getSchema();
  const unknown: string[] = [];
  visit(context.getDocument(), {
    NamedType: ({ name }) => {
      if (schema.getType(name.value) === undefined) unknown.push(name.value);
    },
  });
  return unknown.length === 0 ? {} : KnownTypeNamesRule(context);
}

/**
 * A search is a String or `{query, config}` (decisions 3), which only a scalar can be to GraphQL: variables may be
 * Strings too.
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
