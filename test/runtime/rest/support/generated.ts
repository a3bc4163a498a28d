import type { Descriptors } from '../../../../runtime/src/descriptor/registry.js';
import { generatedFormat, type GeneratedServer } from '../../../../runtime/src/descriptor/generated.js';
import { routesOfTable } from '../../../../runtime/src/descriptor/table-routes.js';

/**
 * The argument of createServer for these descriptors, without GraphQL and without the files that a
 * server reads when somebody asks for them.
 */
export const generatedOf = (descriptors: Descriptors): GeneratedServer => ({
  descriptors,
  resolvers: [],
  routes: descriptors.tables.map(routesOfTable),
  settings: {},
  openapi: new URL('file:///unused'),
  format: generatedFormat,
  fingerprint: '',
});
