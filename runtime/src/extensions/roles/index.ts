import { onceForEach } from '../../once-for-each.js';
import type { Extension } from '../../server/extension.js';
import { RoleApis } from './role-apis.js';

/** An API for each role, with what the role may do: `app.security.schema-by-role`. Decision 049. */
export const roles: Extension = {
  name: 'roles',
  open: () => ({
    // The role of a request chooses the API, which asks again.
    authenticate: onceForEach,
    apis: (context, whole) => new RoleApis(context, whole),
  }),
};
