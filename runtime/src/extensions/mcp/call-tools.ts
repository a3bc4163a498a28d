import { z } from 'zod';
import { restPath } from '../../descriptor/naming.js';
import type { FunctionDescriptor } from '../../descriptor/descriptor.js';
import type { Registry } from '../../descriptor/registry.js';
import { calledProcedure } from '../../descriptor/results.js';
import { codes, ServerError } from '../../errors.js';
import { nearest } from '../../nearest.js';
import { namer } from '../../request/rest/function/choose-function.js';
import { functionsPath, indexWithFields } from '../../endpoint/rest/functions.js';
import { jsonOf } from './ask.js';
import { typeName } from './tables.js';
import { boundedDocument } from './bounded-document.js';
import { answered, defineTool, mostRows, type Tool } from './tool.js';

/** The functions that REST calls. */
const functionsOf = ({ functions, procedures }: Registry): readonly FunctionDescriptor[] => [
  ...functions.values(),
  ...[...procedures.values()].map(calledProcedure),
];

/** Tools that call functions of the database. Without writes they call those alone that read. */
export function functionTools(registry: Registry, writes: boolean): readonly Tool[] {
  const all = functionsOf(registry);
  const index = indexWithFields(all);
  const nameOf = namer(registry.restNames);
  const called = new Map<string, FunctionDescriptor>();
  for (const each of all.filter(({ operation }) => writes || operation === 'query')) {
    // The field of GraphQL tells overloads apart. No path of another function is taken.
    const isOwn = (path: string): boolean =>
      index
        .get(each.schema)
        ?.get(path)
        ?.every((found) => found === each) === true;
    const path = [each.name, each.field].find(isOwn);
    if (path !== undefined) called.set(`${each.schema}.${path}`, each);
  }
  if (called.size === 0) return [];
  return [
    defineTool({
      name: 'list_functions',
      title: 'List functions',
      description: 'Names the functions of the database that call_function calls, with their arguments.',
      arguments: { search: z.string().optional().describe('Only functions whose name or comment has this text.') },
      isLocal: true,
      run: ({ search }) => {
        const wanted = search?.toLowerCase() ?? '';
        const found = [...called].filter(([name, { description = '' }]) =>
          `${name} ${description}`.toLowerCase().includes(wanted),
        );
        return answered({
          functions: found.slice(0, MAX_LISTED).map(([name, { operation, description, arguments: taken }]) => ({
            function: name,
            description,
            writes: operation === 'query' ? undefined : true,
            arguments: taken.map((each) => ({
              name: nameOf(each),
              type: typeName(each.type),
              optional: each.hasDefault,
            })),
          })),
          total: found.length,
        });
      },
    }),
    defineTool({
      name: 'call_function',
      title: 'Call a function',
      description: 'Calls a function of the database, and answers its rows or its value.',
      arguments: {
        function: z.string().describe('A name from list_functions, as schema.function.'),
        arguments: z.record(z.string(), z.unknown()).optional().describe('Arguments by their names.'),
      },
      ...(writes ? { writes: 'changes' as const } : {}),
      run: ({ function: name, arguments: given }, { rest }) => {
        const [full, ...others] = called.has(name)
          ? [name]
          : [...called.keys()].filter((each) => each.endsWith(`.${name}`));
        const found = full === undefined || others.length > 0 ? undefined : called.get(full);
        if (full === undefined || found === undefined) throw unknownFunction(name, called, all);
        return rest({
          method: 'POST',
          url: `${restPath}/${functionsPath}/${encodeURIComponent(full.slice(found.schema.length + 1))}`,
          headers: { 'content-profile': found.schema },
          body: given ?? {},
        });
      },
    }),
  ];
}

/** Most functions of one answer of list_functions. */
const MAX_LISTED = 100;

/** @param called those that may be called, by their names here */
function unknownFunction(
  name: string,
  called: ReadonlyMap<string, FunctionDescriptor>,
  all: readonly FunctionDescriptor[],
): ServerError {
  const isNamed = (each: FunctionDescriptor): boolean => [each.name, `${each.schema}.${each.name}`].includes(name);
  const shown = `"${name.slice(0, 80)}"`;
  const overloads = [...called].filter(([, each]) => isNamed(each)).map(([path]) => path);
  if (overloads.length > 0)
    return new ServerError(400, codes.notFound, `Several functions are called ${shown}.`, {
      hint: `Name one of ${overloads.join(', ')}.`,
    });
  if (all.some(isNamed))
    return new ServerError(403, codes.refused, `The function ${shown} may write, and agents may only read here.`, {
      hint: 'list_functions names the functions that can be called.',
    });
  const known = [...called.keys()];
  const near = nearest(name, name.includes('.') ? known : known.map((each) => each.slice(each.indexOf('.') + 1)));
  return new ServerError(404, codes.notFound, `There is no function ${shown} here.`, {
    hint: near === undefined ? 'list_functions names the functions that there are.' : `Did you mean "${near}"?`,
  });
}

const document = {
  query: z.string().describe('The document.'),
  variables: z.record(z.string(), z.unknown()).optional(),
  operationName: z.string().optional(),
};

const documentText = (rule: string): string =>
  `Runs a document of GraphQL${rule} describe_tables names the field of each table; its arguments are where, orderBy, limit and offset. __type has the rest.`;

/** Documents of GraphQL. */
export const graphqlTool = (writes: boolean): Tool => (writes ? writingDocuments : readingDocuments);

const named = { name: 'graphql', title: 'Run a GraphQL document' };

const writingDocuments = defineTool({
  ...named,
  description: documentText('. Updates and deletes need a filter.'),
  arguments: { ...document, mostRows },
  writes: 'changes',
  run: ({ mostRows: most, ...given }, { graphql, source }) => {
    const { registry, settings } = source.services;
    const bounds = { mostRows: most, allowUnfiltered: settings['app.rest.allow-unfiltered-writes'] };
    const body = { ...given, query: boundedDocument(given, bounds, registry) };
    return graphql({ method: 'POST', url: '/graphql', body });
  },
});

/** Sends documents by GET, over which mutations are refused. */
const readingDocuments = defineTool({
  ...named,
  description: documentText(', which may not be a mutation.'),
  arguments: document,
  run: async ({ query, variables, operationName }, { graphql }) => {
    const parameters = { query, operationName, variables: variables && jsonOf(variables) };
    const given = Object.entries(parameters).filter((each): each is [string, string] => each[1] !== undefined);
    const found = await graphql({ method: 'GET', url: `/graphql?${new URLSearchParams(given).toString()}` });
    if (found.status !== 405) return found;
    throw new ServerError(403, codes.refused, 'This document is a mutation, and agents may only read here.', {
      hint: 'Send a query. The setting app.mcp.writes of the server allows mutations.',
    });
  },
});
