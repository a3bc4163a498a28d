import type { Admission } from '../../execute/admission.js';
import { createAddressOf } from '../../http/client-address.js';
import type { Observer } from '../../observe/observation.js';
import { misconfigured } from '../../errors.js';
import type { OpenServerExtension, ServerExtension } from '../../server/custom-extension.js';
import type { Extension, Host, OpenExtension } from '../../server/extension.js';
import { checkOwnPath } from '../../server/own-path.js';
import { within } from '../../server/within.js';
import { mountedAt } from './mounts.js';

/** The extension of a user, in the form of the server's own ones. */
export const ofUser = (own: ServerExtension): Extension => ({
  name: `custom.extensions ${own.name}`,
  ...(own.observe && { observe: own.observe }),
  open: async (host) => inOwnForm(own.name, await opened(own, host), host),
});

async function opened({ name, open }: ServerExtension, { observe, callerOf }: Host): Promise<OpenServerExtension> {
  const as = callerOf as unknown as Parameters<NonNullable<typeof open>>[0]['as'];
  try {
    return (await open?.({ observe, as })) ?? {};
  } catch (error) {
    throw misconfigured(`The extension ${name} cannot be opened.`, 'Its error is the cause.', error);
  }
}

function inOwnForm(
  name: string,
  { mounts, admit, authenticate, driver, health, metrics, close }: OpenServerExtension,
  { settings, observe }: Host,
): OpenExtension {
  const { 'app.rest.postgrest': postgrest = '' } = settings;
  const others = ['/mcp', ...(postgrest === '' ? [] : [postgrest])];
  for (const { prefix } of mounts ?? []) checkOwnPath(prefix, `the extension ${name}`, '/audit', others);
  const addressOf = createAddressOf(settings);
  return {
    ...(mounts && { mounts: (services, source) => mounts.map((mount) => mountedAt(mount, services, source)) }),
    ...(admit && { admission: (next) => admittedBy(admit, next, addressOf) }),
    ...(authenticate && { authenticate }),
    ...(driver && { driver }),
    ...(health && { health: guarded(health, observe) }),
    ...(metrics && { series: metrics }),
    ...(close && {
      close: (grace) => {
        const report = (error: unknown): void => {
          observe({ kind: 'failure', error });
        };
        return within(grace, [Promise.resolve(grace).then(close).catch(report)]);
      },
    }),
  };
}

/** Asks the extension before the rates: they do not count a request that it refuses. */
const admittedBy = (
  admit: NonNullable<OpenServerExtension['admit']>,
  next: Admission | undefined,
  addressOf: Admission['addressOf'],
): Admission => ({
  addressOf,
  enter: async (request, response) => next?.enter(request, response),
  charge: async (request, response, identity, use) => {
    await admit({ ...use, identity, address: addressOf(request) });
    await next?.charge(request, response, identity, use);
  },
  chargeMessage: async (address, identity, use) => {
    await admit({ ...use, identity, address });
    await next?.chargeMessage(address, identity, use);
  },
});

/** Probes are answered without what the extension cannot tell. */
const guarded =
  (health: NonNullable<OpenServerExtension['health']>, observe: Observer): NonNullable<OpenExtension['health']> =>
  () => {
    try {
      return health();
    } catch (error) {
      observe({ kind: 'failure', error });
      return {};
    }
  };
