import { codes, ServerError } from '../../errors.js';

/** The answer for a name that is not in `custom.tenants`, and for no name. */
export const unknownTenant = (): ServerError =>
  new ServerError(404, codes.unknownTenant, 'There is no such tenant.', {
    hint: 'The request has to name a tenant of this server.',
  });

/** Code of the user's that acts as an identity of no tenant: no database is chosen for it. */
export const noTenant = (): ServerError =>
  new ServerError(500, codes.misconfigured, 'The identity is of no tenant, so that it has no database.', {
    hint: 'Name the tenant: server.as({ tenant: …, userId: … }).',
  });

const unavailable = (message: string, hint: string, cause?: unknown): ServerError =>
  new ServerError(503, codes.unavailable, message, { hint, cause, headers: { 'retry-after': '2' } });

export const unusableTenant = (cause: unknown): ServerError =>
  unavailable('The database of this tenant is not available.', 'Try again in a moment.', cause);

export const differentTenant = (): ServerError =>
  unavailable(
    'The database of this tenant has another schema than this API.',
    'It is answered again when its schema is the same.',
  );

/** @param message the names, for the log */
export const exchangedTenant = (message: string): Error =>
  new Error(`The configuration protects names that may have another meaning now: ${message}`);

export const movedTenant = (): ServerError => unavailable('The database of this tenant has moved.', 'Subscribe again.');

export const tooManyWatched = (): ServerError =>
  unavailable('Too many tenants have subscribers.', 'Try again later. More: app.datasource.tenant-connections.');
