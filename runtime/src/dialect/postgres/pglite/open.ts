import { codes, ServerError } from '../../../errors.js';
import type { BoundStatement, RawRow } from '../../statement.js';

/** A PGlite database as batches see it. */
export interface Pglite {
  /** The statements in one implicit transaction; the rows of the last. */
  run(statements: readonly BoundStatement[]): Promise<readonly RawRow[]>;
  /** Answers how listening is ended. */
  listen(channel: string, receive: (payload: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/**
 * The part of `@electric-sql/pglite` used here. Its own types are not imported: a project on PostgreSQL does not have
 * the package.
 */
interface PgliteModule {
  readonly PGlite: {
    create(options: { dataDir?: string; extensions: Readonly<Record<string, unknown>> }): Promise<PgliteDatabase>;
  };
  readonly protocol: { readonly serialize: Serialize };
}

export interface PgliteDatabase {
  execProtocol(
    message: Uint8Array,
    options: { throwOnError: boolean },
  ): Promise<{ readonly messages: readonly Message[] }>;
  listen(channel: string, receive: (payload: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

interface Serialize {
  parse(message: { text: string }): Uint8Array;
  bind(message: { values: (string | null)[] }): Uint8Array;
  execute(message: object): Uint8Array;
  sync(): Uint8Array;
}

type Message = { readonly name: string; readonly fields?: RawRow } | Error;

/** Joined, so that a compiler does not look for packages that a project on PostgreSQL does not have. */
const packageName = ['@electric-sql', 'pglite'].join('/');
const vectorPackage = ['@electric-sql', 'pglite-pgvector'].join('/');

/**
 * Opens a database in this process, with pgvector where its package is installed.
 * @throws ServerError 503 when the package is not installed
 */
export async function openPglite(directory: string): Promise<Pglite> {
  const module = await load(packageName);
  const { vector } = await importOptional(vectorPackage);
  const database = await (module as PgliteModule).PGlite.create({
    ...(directory === '' ? {} : { dataDir: directory }),
    extensions: vector === undefined ? {} : { vector },
  });
  return batches(database, (module as PgliteModule).protocol.serialize);
}

async function load(name: string): Promise<unknown> {
  try {
    return await import(name);
  } catch (cause) {
    throw new ServerError(503, codes.unavailable, 'PGlite is not installed.', { hint: `npm install ${name}`, cause });
  }
}

const importOptional = (name: string): Promise<{ readonly vector?: unknown }> =>
  import(name).then(
    (module: { readonly vector?: unknown }) => module,
    () => ({}),
  );

/** One message for each batch, as on a socket: see drivers/pg/batch.ts. */
function batches(database: PgliteDatabase, serialize: Serialize): Pglite {
  return {
    run: async (statements) => {
      const parts = statements.flatMap(({ text, values }) => [
        serialize.parse({ text }),
        serialize.bind({ values: [...values] }),
        serialize.execute({}),
      ]);
      const { messages } = await database.execProtocol(Buffer.concat([...parts, serialize.sync()]), {
        throwOnError: false,
      });
      return lastRows(messages);
    },
    listen: (channel, receive) => database.listen(channel, receive),
    close: () => database.close(),
  };
}

function lastRows(messages: readonly Message[]): readonly RawRow[] {
  let rows: RawRow[] = [];
  let finished = false;
  for (const message of messages) {
    if (message instanceof Error) throw message;
    if (message.name === 'dataRow') {
      if (finished) rows = [];
      finished = false;
      rows.push(message.fields ?? []);
    }
    if (message.name === 'commandComplete') {
      if (finished) rows = [];
      finished = true;
    }
  }
  return rows;
}
