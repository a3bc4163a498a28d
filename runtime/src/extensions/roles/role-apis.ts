import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { actingIdentity } from '../../auth/acting.js';
import type { RoleRights } from '../../catalog/rights.js';
import type { Descriptors } from '../../descriptor/registry.js';
import { indexDescriptors } from '../../descriptor/registry.js';
import { routesAfter } from '../../descriptor/table-routes.js';
import type { Dialect } from '../../dialect/dialect.js';
import type { Identity } from '../../dialect/driver.js';
import type { Served } from '../../drift/served.js';
import type { StreamEndpoint } from '../../endpoint/graphql/stream/operation.js';
import { codes, ServerError } from '../../errors.js';
import { rightsOfRole } from '../../execute/role-rights.js';
import { inTime } from '../../in-time.js';
import { catalogForRole } from '../../model/role/catalog-for-role.js';
import { descriptorsForRole, type RoleLimits } from '../../model/role/descriptors-for-role.js';
import type { DatabaseFailure } from '../../plan/failure.js';
import { send } from '../../response/answer.js';
import { errorAnswer } from '../../response/rest-error.js';
import { toServerError } from '../../response/server-error.js';
import { buildTypes } from '../../schema/build.js';
import { schemaOf } from '../../schema/custom/custom-schema.js';
import { sourceOfDescriptors } from '../../schema/definitions/source.js';
import { createQueue, inSlices } from '../../slices.js';
import type { ApisByIdentity } from '../../server/extension.js';
import { createApi, type Api, type ApiContext } from '../../server/api.js';
import type { ApiSource } from '../../server/api-source.js';

/** Most roles whose APIs are kept: the one that was used longest ago gives way. */
const MAX_ROLES = 32;

/** Milliseconds that a request waits for the API of its role. */
const TIMEOUT_MS = 10_000;

/** The API of a role, what it was made of, and the digest of its rights. */
interface Made {
  readonly api: Api;
  readonly of: Api;
  readonly rights: string | undefined;
}

interface Role {
  readonly name: string | undefined;
  made: Made | undefined;
  making: Promise<Api> | undefined;
}

/**
 * The API of each role, with what the role may do and nothing else. It is made when the role first
 * asks, one at a time, and again when its grants or the whole API have changed. Decision 049.
 */
export class RoleApis implements ApisByIdentity {
  readonly #roles = new LRUCache<string, Role>({ max: MAX_ROLES });
  readonly #queue = createQueue();

  /**
   * @param context of the whole API
   * @param api the whole API
   */
  constructor(
    private readonly context: ApiContext,
    private readonly api: Served<Api>,
  ) {
    api.onSwap(() => void this.#renew([...this.#roles.values()]));
  }

  /** Answers by the API of the sender's role. Whoever has no valid token gets the anonymous one. */
  readonly handle: Api['handle'] = (request, response, next) => {
    if (!this.api.current.isLimited(request.url ?? '/')) {
      this.api.current.handle(request, response, next);
      return;
    }
    this.#senderOf(request)
      .then((identity) => this.of(identity))
      .then(
        (api) => {
          api.handle(request, response, next);
        },
        (error: unknown) => {
          this.#refuse(request, response, error);
        },
      );
  };

  /** Rejects with ServerError when the API is not ready in time. */
  of({ role }: Identity): Promise<Api> {
    return this.#current(this.#role(role));
  }

  /** What serves the streams of an identity: it stays current for as long as they are open. */
  readonly endpointOf: ApisByIdentity['endpointOf'] = async ({ role }) => {
    const own = this.#role(role);
    await this.#current(own);
    return () => this.#endpoint(own);
  };

  /** Looks whether grants have changed. */
  readonly refresh = async (): Promise<void> => {
    const changed: Role[] = [];
    for (const role of this.#roles.values()) {
      if (role.made === undefined || digest(await rightsOfRole(this.context, role.name)) === role.made.rights) continue;
      changed.push(role);
    }
    await this.#renew(changed, true);
  };

  #role(name: string | undefined): Role {
    const key = name ?? '';
    const known = this.#roles.get(key);
    if (known !== undefined) return known;
    const role: Role = { name, made: undefined, making: undefined };
    this.#roles.set(key, role);
    return role;
  }

  async #current(role: Role): Promise<Api> {
    if (role.made?.of === this.api.current) return role.made.api;
    return inTime(this.#make(role), TIMEOUT_MS, notReady);
  }

  #make(role: Role): Promise<Api> {
    role.making ??= this.#queue(async () => {
      do role.made = await this.#made(role);
      while (role.made.of !== this.api.current);
      return role.made.api;
    }).finally(() => {
      role.making = undefined;
    });
    return role.making;
  }

  /** Makes APIs again beside the old ones, and opens subscriptions again over them. */
  async #renew(roles: readonly Role[], isChanged = false): Promise<void> {
    const used = roles.filter(({ made }) => made !== undefined);
    for (const role of used) {
      const again = this.#make(role);
      await (isChanged
        ? again
        : again.catch((error: unknown) => {
            this.context.observe({ kind: 'failure', error });
          }));
    }
    if (used.length > 0) await this.context.hub?.follow(undefined);
  }

  async #made(role: Role): Promise<Made> {
    const of = this.api.current;
    const rights = await rightsOfRole(this.context, role.name);
    const limits: RoleLimits = {
      role: role.name,
      rights: rights === undefined ? undefined : (JSON.parse(rights) as RoleRights),
      rules: of.descriptors.rules,
    };
    const descriptors = descriptorsForRole(of.descriptors, limits);
    const made = { of, rights: digest(rights) };
    if (descriptors === of.descriptors) return { api: of, ...made };
    const source = await this.#source(of, descriptors, limits);
    return { api: createApi(this.#contextOf(role, of, descriptors), source, of), ...made };
  }

  async #source(
    { source: whole, registry: all }: Api,
    descriptors: Descriptors,
    limits: RoleLimits,
  ): Promise<ApiSource> {
    const { dialect, hub } = this.context;
    const { enums = [], composites = [], tables } = whole.descriptors;
    const known = new Map(tables.map((table, at) => [table, all.tables[at]]));
    // Conditions of rules may need types that the role does not see, and are not shown to it.
    const indexed = { ...descriptors, enums, composites, rules: undefined };
    const registry = await inSlices(indexDescriptors(indexed, known), undefined);
    const types = await inSlices(
      buildTypes(sourceOfDescriptors(descriptors, dialect.operators), hub !== undefined, 'asked'),
      undefined,
    );
    const { customParts: parts } = whole;
    const routes = new Map(whole.routes.map((each) => [each.table.field, each]));
    let openapi: Promise<Buffer> | undefined;
    const describe = whole.openapiFor;
    return {
      descriptors,
      registry,
      routes: descriptors.tables.map((table) => routesAfter(table, routes.get(table.field))),
      openapi: () =>
        (openapi ??= describe(limits).catch((error: unknown) => {
          openapi = undefined;
          throw error;
        })),
      openapiFor: describe,
      catalog: async () => {
        const catalog = await whole.catalog();
        return catalog && catalogForRole(catalog, descriptors);
      },
      graphql: schemaOf(types, parts === undefined ? undefined : { parts, registry, refuse: undefined }),
      customParts: parts,
    };
  }

  #contextOf(role: Role, of: Api, descriptors: Descriptors): ApiContext {
    const { context } = this;
    return {
      ...context,
      // Metrics count those of the whole API.
      caches: () => undefined,
      dialect: silent(context.dialect, of.descriptors, descriptors),
      endpoint: () => this.#endpoint(role),
      successor: async (error) =>
        (await context.successor(error, of)) === undefined ? undefined : this.#current(role),
    };
  }

  #endpoint(role: Role): StreamEndpoint {
    const endpoint = role.made?.api.endpoint;
    if (endpoint !== undefined) return endpoint;
    throw new ServerError(404, codes.notFound, 'This role may use nothing that GraphQL serves.');
  }

  async #senderOf(request: IncomingMessage): Promise<Identity> {
    const { authenticate, settings } = this.context;
    try {
      return await authenticate(this.api.current.senderOf(request));
    } catch {
      return actingIdentity({}, settings);
    }
  }

  #refuse(request: IncomingMessage, response: ServerResponse, thrown: unknown): void {
    const { observe, cors, dialect } = this.context;
    const error = toServerError(thrown, dialect);
    if (!error.clientsMistake) observe({ kind: 'failure', status: error.status, error });
    if (cors?.(request, response) !== true) send(response, errorAnswer(error), request.method === 'HEAD');
  }
}

const notReady = (): ServerError =>
  new ServerError(503, codes.unavailable, 'The API of this role is not ready yet.', {
    hint: 'Try again in a moment.',
    headers: { 'retry-after': '1' },
  });

const digest = (text: string | undefined): string | undefined =>
  text && createHash('sha256').update(text).digest('base64');

/**
 * The dialect whose failures do not name what is hidden: a trigger, a policy or a constraint may be
 * of other tables and columns. What authors of the database raise is theirs.
 */
function silent(dialect: Dialect, all: Descriptors, shown: Descriptors): Dialect {
  let hidden: RegExp | undefined;
  const says = (text: string | undefined): boolean => {
    hidden ??= hiddenNames(all, shown);
    return text !== undefined && hidden.test(text);
  };
  return {
    ...dialect,
    failure: (...given) => {
      const failure = dialect.failure(...given);
      if (failure === undefined || failure.kind === 'raised') return failure;
      const { databaseText } = failure;
      const left = named.filter((member) => says(failure[member]));
      const text = says(databaseText?.message) || says(databaseText?.hint) ? { databaseText: undefined } : {};
      return { ...failure, ...Object.fromEntries(left.map((member) => [member, undefined])), ...text };
    },
  };
}

const named = [
  'table',
  'column',
  'constraint',
  'domain',
  'subject',
  'suspect',
] as const satisfies readonly (keyof DatabaseFailure)[];

function hiddenNames(all: Descriptors, shown: Descriptors): RegExp {
  const namesIn = ({ tables }: Descriptors): ReadonlySet<string> =>
    new Set(
      tables.flatMap(({ name, columns, writeOnly = [] }) => [
        name,
        ...[...columns, ...writeOnly].map((each) => each.name),
      ]),
    );
  const known = namesIn(shown);
  const names = [...namesIn(all)].filter((name) => !known.has(name)).map((name) => name.replace(/[^\w]/g, '\\$&'));
  return names.length === 0 ? /(?!)/ : new RegExp(`(?<![a-z0-9])(?:${names.join('|')})(?![a-z0-9])`, 'i');
}
