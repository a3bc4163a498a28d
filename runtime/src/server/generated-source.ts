import type { GeneratedServer } from '../descriptor/generated.js';
import type { Registry } from '../descriptor/registry.js';
import { codes, ServerError } from '../errors.js';
import type { RoleLimits } from '../model/role/descriptors-for-role.js';
import { modelOptions } from '../drift/model-options.js';
import { createOpenapiReader } from '../http/openapi.js';
import { buildTypes } from '../schema/build.js';
import { customSchema } from '../schema/custom/custom-schema.js';
import { sourceOfDescriptors } from '../schema/definitions/source.js';
import { inSlices } from '../slices.js';
import type { ApiContext } from './api.js';
import type { ApiSource } from './api-source.js';
import { readCatalogFile } from './catalog-file.js';

/** The source of the first API of a server: generated code. */
export async function sourceOf(
  { descriptors, resolvers, routes, openapi, naming = {} }: GeneratedServer,
  registry: Registry,
  { settings, custom, dialect }: Pick<ApiContext, 'settings' | 'custom' | 'dialect'>,
  isFed: boolean,
): Promise<ApiSource> {
  const types = await inSlices(buildTypes(sourceOfDescriptors(descriptors, dialect.operators), isFed), undefined);
  const checked = !settings['app.server.production'];
  const { schema, parts } = await customSchema(types, registry, resolvers, custom, checked);
  const describe = async (limits?: RoleLimits): Promise<Buffer | undefined> => {
    const { describeApart } = await import('./describe.js');
    const options = modelOptions(naming, settings, descriptors.rules);
    return describeApart({ openapi: openapi.href, options, dialect: dialect.name, limits }, dialect.model);
  };
  return {
    descriptors,
    registry,
    routes,
    openapi: createOpenapiReader(openapi, describe),
    openapiFor: async (limits) => {
      const bytes = await describe(limits);
      if (bytes !== undefined) return bytes;
      throw new ServerError(
        404,
        codes.notFound,
        'The generated code has no catalog.json, which this document is made from.',
      );
    },
    catalog: () => readCatalogFile(openapi),
    graphql: schema,
    customParts: parts,
  };
}
