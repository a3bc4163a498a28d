import { BoundedCache } from '../../../bounded-cache.js';
import type { Catalog } from '../../../catalog/catalog.js';
import type { RoleRights } from '../../../catalog/rights.js';
import type { FunctionDescriptor } from '../../../descriptor/descriptor.js';
import { createRegistry, type Descriptors } from '../../../descriptor/registry.js';
import type { Services } from '../../../execute/services.js';
import { descriptorsForRole } from '../../../model/role/descriptors-for-role.js';
import { describeSchema } from './document.js';
import type { Schema } from './types.js';

/** Bytes of the documents that are kept: of a few schemas as a few roles have them. */
const MAX_BYTES = 8 * 1024 * 1024;

export interface DescriptionOptions {
  /** Of the mount. */
  readonly path: string;
  /** Those that the mount calls. */
  readonly functions: readonly FunctionDescriptor[];
  /** Undefined where it cannot be read: types have short names then, and nothing has a comment. */
  readonly catalog: () => Promise<Catalog | undefined>;
}

/** Whose description is asked for. */
export interface Asked {
  readonly schema: string;
  /** Undefined: what everybody may do. */
  readonly limits: DescribedRole | undefined;
}

export interface DescribedRole {
  readonly role: string | undefined;
  /** `RoleRights` as text. Undefined: the database knows no roles of requests. */
  readonly rights: string | undefined;
}

/** The descriptions of the schemas of a mount, for each role. Source: PostgREST, "OpenAPI". */
export class Descriptions {
  readonly #kept = new BoundedCache<Buffer>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ length }, key) => length + key.length,
  });

  constructor(
    private readonly services: Pick<Services, 'registry' | 'settings'>,
    private readonly options: DescriptionOptions,
  ) {}

  /** The bytes of the document. */
  async of(asked: Asked): Promise<Buffer> {
    const key = JSON.stringify([asked.schema, asked.limits]);
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const made = Buffer.from(JSON.stringify(await this.#document(asked)));
    this.#kept.set(key, made);
    return made;
  }

  async #document({ schema, limits }: Asked): Promise<Schema> {
    const { registry, settings } = this.services;
    const { path, catalog: read } = this.options;
    const catalog = await read();
    const { tables, callable = [] } = this.#limited(limits);
    const shown = createRegistry({ tables, restNames: registry.restNames });
    const facts = new Map(catalog?.tables.filter((each) => each.schema === schema).map((each) => [each.name, each]));
    return describeSchema(
      {
        ...{ schema, path, shown: shown.table, isSecured: settings['app.rest.openapi-security-active'] },
        tables: [...(shown.schemas.get(schema)?.values() ?? [])].map((table) => ({
          table,
          facts: facts.get(table.name),
        })),
        functions: callable.filter((each) => each.schema === schema),
      },
      { catalog, enums: registry.enums, settings },
    );
  }

  #limited(limits: DescribedRole | undefined): Descriptors {
    const { tables, enums, composites, rules } = this.services.registry;
    const all = {
      ...{ tables, callable: this.options.functions },
      ...{ enums: [...enums.values()], composites: [...composites.values()] },
    };
    if (limits === undefined) return all;
    const { role, rights } = limits;
    const parsed = rights === undefined ? undefined : (JSON.parse(rights) as RoleRights);
    return descriptorsForRole(all, { role, rights: parsed, rules });
  }
}
