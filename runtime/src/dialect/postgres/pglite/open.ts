import { codes, ServerError } from '../../../errors.js';
import type { BoundStatement, RawRow } from '../../../plan/statement.js';
import type { BatchEnd, EncodedStatement } from '../driver/batch.js';
import type { FieldDescription } from '../driver/wire.js';

/** A PGlite database for batches of statements. */
export interface Pglite {
  /** Runs the statements in one implicit transaction and returns the rows of the last. */
  run(statements: readonly BoundStatement[]): Promise<readonly RawRow[]>;
  /** The same, followed by a statement of the user's code, whose result is described. */
  runCustom(statements: readonly BoundStatement[], custom: EncodedStatement): Promise<CustomEnd>;
  /** Answers how listening is ended. */
  listen(channel: string, receive: (payload: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

interface CustomEnd extends Pick<BatchEnd, 'rows' | 'fields' | 'tag'> {
  readonly isInTransaction: boolean;
}

/**
 * The part of `@electric-sql/pglite` used here. Its own types are not imported: a project on
 * PostgreSQL does not have the package.
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
  bind(message: { values: (string | Buffer | null)[] }): Uint8Array;
  describe(message: { type: 'P' }): Uint8Array;
  execute(message: object): Uint8Array;
  sync(): Uint8Array;
}

interface Reply {
  readonly name: string;
  /** The values of a row message, or the columns of a description. */
  readonly fields?: RawRow | readonly FieldDescription[];
  /** The command tag of a completed statement. */
  readonly text?: string;
  /** The transaction status when the session is ready: `I` outside a transaction. */
  readonly status?: string;
}

type Message = Reply | Error;

/** Joined at run time, so that a compiler does not resolve a package that is not installed. */
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

/** One message for each batch, as on a socket: see driver/batch.ts. */
function batches(database: PgliteDatabase, serialize: Serialize): Pglite {
  const partsOf = (statements: readonly BoundStatement[]): readonly Uint8Array[] =>
    statements.flatMap(({ text, values }) => [
      serialize.parse({ text }),
      serialize.bind({ values: [...values] }),
      serialize.execute({}),
    ]);
  const send = async (parts: readonly Uint8Array[]): Promise<readonly Reply[]> => {
    const { messages } = await database.execProtocol(Buffer.concat([...parts, serialize.sync()]), {
      throwOnError: false,
    });
    return withoutErrors(messages);
  };
  return {
    run: async (statements) => lastRows(await send(partsOf(statements))),
    runCustom: async (statements, { text, values }) => {
      const described = [serialize.bind({ values: [...values] }), serialize.describe({ type: 'P' })];
      const custom = [serialize.parse({ text }), ...described, serialize.execute({})];
      return customEnd(await send([...partsOf(statements), ...custom]), statements.length);
    },
    listen: (channel, receive) => database.listen(channel, receive),
    close: () => database.close(),
  };
}

function withoutErrors(messages: readonly Message[]): readonly Reply[] {
  return messages.map((message) => {
    if (message instanceof Error) throw message;
    return message;
  });
}

function lastRows(messages: readonly Reply[]): readonly RawRow[] {
  let rows: RawRow[] = [];
  let finished = false;
  for (const message of messages) {
    if (message.name === 'dataRow') {
      if (finished) rows = [];
      finished = false;
      rows.push((message.fields ?? []) as RawRow);
    }
    if (message.name === 'commandComplete') {
      if (finished) rows = [];
      finished = true;
    }
  }
  return rows;
}

/** @param before number of statements before the described statement */
function customEnd(messages: readonly Reply[], before: number): CustomEnd {
  const rows: RawRow[] = [];
  let completed = 0;
  let fields: readonly FieldDescription[] = [];
  let tag = '';
  for (const message of messages) {
    if (message.name === 'rowDescription') fields = message.fields as readonly FieldDescription[];
    if (message.name === 'dataRow' && completed === before) rows.push(message.fields as RawRow);
    if (message.name === 'commandComplete') {
      if (completed === before) tag = message.text ?? '';
      completed += 1;
    }
  }
  const ready = messages.find(({ name }) => name === 'readyForQuery');
  return { rows, fields, tag, isInTransaction: ready?.status !== 'I' };
}
