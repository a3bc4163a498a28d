import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openServed, type Served, type ServedServer } from '../../support/served-as-role.js';

/**
 * The shop of the case `functions`, with a role that may call every function but `secret`. Each
 * user sees their own rows.
 */
async function openShop(): Promise<Served> {
  const sql = await readFile(join(import.meta.dirname, '../../cases/functions/schema.sql'), 'utf8');
  return openServed({
    name: 'functions',
    schema: 'shop',
    sql: `${sql}
      create function shop.unqualified() returns bigint language plpgsql stable
        as $body$ begin return (select count(*) from products); end $body$;
      create function shop.path() returns text language sql stable as $body$ select current_setting('search_path') $body$;
      revoke execute on function shop.secret() from public;
      alter table shop.products enable row level security;
      create policy own on shop.products
        using (owner is null or owner = nullif(current_setting('request.user_id', true), '')) with check (true);`,
    config: { functions: ['shop.*'] },
  });
}

export interface Shop extends Asker {
  readonly served: Served;
  readonly server: ServedServer;
  readonly stop: () => Promise<void>;
}

/** The shop, with its server running. */
export async function startShop(): Promise<Shop> {
  const served = await openShop();
  const server = await served.start();
  const stop = async (): Promise<void> => {
    await server.stop();
    await served.drop();
  };
  return { served, server, ...createAsker(served, server), stop };
}

export interface Asker {
  /** The data of a document, sent as a user. Throws when the answer has errors. */
  readonly data: (document: string, user?: string) => Promise<Readonly<Record<string, unknown>>>;
  /** The errors of a document. */
  readonly errors: (document: string, user?: string) => Promise<readonly GraphqlFailure[]>;
}

interface GraphqlFailure {
  readonly message: string;
  readonly extensions: { readonly code: string };
}

interface Body {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly GraphqlFailure[];
}

/** @param served signs the tokens of the users */
export function createAsker(served: Served, server: Pick<ServedServer, 'ask'>): Asker {
  const ask = async (document: string, user?: string): Promise<Body> => {
    const headers = user === undefined ? {} : { authorization: `Bearer ${await served.token(user)}` };
    return JSON.parse((await server.ask(document, headers)).text) as Body;
  };
  return {
    data: async (document, user) => {
      const { data, errors } = await ask(document, user);
      if (errors !== undefined || data === null || data === undefined) throw new Error(JSON.stringify(errors));
      return data;
    },
    errors: async (document, user) => (await ask(document, user)).errors ?? [],
  };
}
