import { setImmediate as nextTurn } from 'node:timers/promises';
import { checkExcluded } from '../drift/check-excluded.js';
import { checkHooks } from '../drift/check-hooks.js';
import { checkShrinking } from '../drift/check-shrinking.js';
import type { Followed } from '../drift/follower.js';
import { Refusal } from '../drift/refusal.js';
import type { Served } from '../drift/served.js';
import { describeDescriptors } from '../drift/described-model.js';
import type { Driver } from '../dialect/driver.js';
import type { Naming } from '../descriptor/naming.js';
import { indexDescriptors } from '../descriptor/registry.js';
import { routesAfter } from '../descriptor/table-routes.js';
import type { TableRoutes } from '../descriptor/generated.js';
import type { DerivedModel } from '../drift/derive.js';
import { withoutEqual } from '../drift/without-equal.js';
import { compareModels } from '../model/changes.js';
import type { Warning } from '../model/model.js';
import type { Observation } from '../observe/observation.js';
import { descriptorsOf } from '../model/descriptors.js';
import { buildTypes } from '../schema/build.js';
import { schemaOf } from '../schema/custom/custom-schema.js';
import { sourceOfModel } from '../model/schema-source.js';
import { ServerError } from '../errors.js';
import { inSlices } from '../slices.js';
import { tryRead } from './try-read.js';
import { createApi, type Api, type ApiContext } from './api.js';
import type { ApiSource } from './api-source.js';

/**
 * Serves a changed database: makes a new API from its model beside the current API, checks the new
 * API with the database, and replaces the current one. Each step begins in a new turn of the event
 * loop, so that the server answers requests in between.
 * @param generated the generated state of the server: the user's code is part of its schema
 * @param naming of the generated code
 * @param database for the checks of the new API
 */
export function createSwap(
  context: ApiContext,
  api: Served<Api>,
  generated: ApiSource,
  { excluded: excludedAtFirst = [] }: Pick<Naming, 'excluded'>,
  database: Driver,
): Followed['swap'] {
  const { dialect, settings } = context;
  const routes = new Map(generated.routes.map((each) => [each.table.field, each]));
  const reported = new Set<string>();
  let excluded = excludedAtFirst;
  return async (changed, again, fingerprint) => {
    const { model } = changed;
    const before = api.current;
    checkShrinking(before.descriptors.tables, model, again);
    checkHooks(Object.keys(context.hooks ?? {}), before.descriptors.tables, model);
    const source = { ...(await sourceOf(changed, generated, routes, context)), fingerprint };
    checkExcluded(excluded, model.excluded, before.descriptors, source.descriptors);
    await nextTurn();
    const findings = await dialect.checkAtStart(database, source.registry, settings);
    const next = refusing(() => {
      const made = createApi(context, source);
      made.rowHooks?.check(before.rowHooks?.known() ?? []);
      return made;
    });
    await nextTurn();
    const [was, is] = await inSlices(withoutEqual(before.descriptors, source.descriptors), undefined);
    await tryRead({ ...context, driver: database }, source.registry, is.tables);
    await context.settle();
    const changes = compareModels(describeDescriptors(was), describeDescriptors(is));
    api.replace(next);
    excluded = model.excluded;
    const waiting = model.warnings.filter(({ code }) => code === 'WAITS');
    for (const finding of [...findings, ...waiting.map(waits)]) {
      const text = JSON.stringify(finding);
      if (!reported.has(text)) context.observe(finding);
      reported.add(text);
    }
    return changes;
  };
}

const waits = ({ message, hint }: Warning): Observation => ({ kind: 'warning', message, hint });

/**
 * Refuses a change after which a rule, or a condition of a hook `onRead`, cannot be used any more,
 * because then every request for its table would fail. Of hooks, only conditions that requests have
 * already used are known.
 */
function refusing<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    throw refuse(error.message);
  }
}

const refuse = (message: string): Refusal =>
  new Refusal(message, 'The old API stays in use. Change the code, generate, build and start the server again.');

/** The changed database, in the form of generated code. */
async function sourceOf(
  { model, openapi, names, catalog }: DerivedModel,
  { customParts: parts, descriptors: { rules } }: Pick<ApiSource, 'customParts' | 'descriptors'>,
  routes: ReadonlyMap<string, TableRoutes>,
  { hub, dialect }: Pick<ApiContext, 'hub' | 'dialect'>,
): Promise<ApiSource> {
  const descriptors = { ...descriptorsOf(model), ...(rules === undefined ? {} : { rules }) };
  const registry = await inSlices(indexDescriptors(descriptors), undefined);
  await nextTurn();
  const types = await inSlices(buildTypes(sourceOfModel(model), hub !== undefined, names), undefined);
  const graphql = schemaOf(types, parts === undefined ? undefined : { parts, registry, refuse });
  if (parts !== undefined && graphql === undefined)
    throw new Refusal(
      'The API has no table, view or function left that GraphQL can serve.',
      'The old API stays in use.',
    );
  return {
    descriptors,
    registry,
    routes: descriptors.tables.map((table) => routesAfter(table, routes.get(table.field))),
    openapi,
    openapiFor: async (limits) => {
      const { describeApart } = await import('./describe.js');
      const { name, model: of } = dialect;
      const bytes = await describeApart({ openapi: '', options: {}, dialect: name, model, limits }, of);
      return bytes ?? openapi();
    },
    catalog: () => Promise.resolve(catalog?.()),
    graphql,
    customParts: parts,
  };
}
