import type { Registry } from '../../descriptor/registry.js';
import { createPostgrestHandler } from './handler.js';
import { postgrestPath } from './path.js';
import { senderOf } from './project-key.js';
import type { Observation } from '../../observe/observation.js';
import type { Extension } from '../../server/extension.js';
import { createMentionedVariables } from './request-variables.js';
import type { Settings } from '../../settings/settings.js';

/** REST in PostgREST's form, at a path of its own: `app.rest.postgrest`. */
export const postgrest: Extension = {
  name: 'postgrest',
  open: ({ settings, dialect, registry, observe }) => {
    const prefix = postgrestPath(settings);
    if (prefix === undefined) return {};
    const variables = createMentionedVariables(dialect, settings, observe);
    for (const finding of callableDefiners(settings, registry)) observe(finding);
    return {
      ...(variables && { lookUp: variables.lookUp }),
      mounts: (services, { routes, openapi, catalog, successor }) => {
        const own = { ...services, ...(variables && { requestVariables: variables }) };
        const handler = createPostgrestHandler(own, prefix, {
          ...{ routes, openapi, catalog },
          successor: (error) => successor(error, prefix),
        });
        return [{ prefix, handler, senderOf }];
      },
    };
  },
};

/** The functions that clients of PostgREST's form call with the rights of their owners. */
function callableDefiners(settings: Settings, { callable = [] }: Registry): readonly Observation[] {
  const served = settings['app.schemas'];
  const definers = callable
    .filter(({ schema, securityDefiner }) => securityDefiner === true && served?.includes(schema) !== false)
    .map(({ field }) => field);
  if (definers.length === 0) return [];
  const message = `PostgREST's form calls functions that are SECURITY DEFINER: ${definers.join(', ')}.`;
  const hint = 'Revoke EXECUTE on those that no client should call, or name the others in `functions`.';
  return [{ kind: 'warning', message, hint }];
}
