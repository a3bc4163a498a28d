import {
  GraphQLError,
  KnownTypeNamesRule,
  NoSchemaIntrospectionCustomRule,
  VariablesInAllowedPositionRule,
  specifiedRules,
  visit,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import { typeNames } from '../../../schema/list-types.js';
import type { Settings } from '../../../settings/settings.js';

/** The rules of validation: graphql-js's, some of them in our way. */
export function rulesOf(settings: Settings): readonly ValidationRule[] {
  const rules = [...specifiedRules.map((rule) => own.get(rule) ?? rule), knownOperations];
  return settings['app.graphql.introspection'] ? rules : [...rules, NoSchemaIntrospectionCustomRule];
}

const own: ReadonlyMap<ValidationRule, ValidationRule> = new Map([
  [KnownTypeNamesRule, knownTypeNames],
  [VariablesInAllowedPositionRule, variablesInAllowedPosition],
]);

/**
 * Refuses operations that the schema has no root type for. graphql-js finds nothing wrong with
 * them, since it checks no field of an unknown type, and leaves them to the execution, which the
 * server replaces: a database without a change feed has no subscriptions, a read-only one no
 * mutations.
 */
function knownOperations(context: ValidationContext): ReturnType<ValidationRule> {
  return {
    OperationDefinition: (node) => {
      if (context.getSchema().getRootType(node.operation) !== undefined) return;
      const message = `The schema has no ${node.operation}s.`;
      context.reportError(new GraphQLError(message, { nodes: node }));
    },
  };
}

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
 * A search is a String or `{query, config}` (decision 003), which only a scalar can be to GraphQL:
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
