import type { Policy } from '@tablewright/runtime/console';
import type { DiagramReference } from './diagram/diagram.js';

/**
 * What the console's page is made from: one JSON document, which the server derives from what it
 * serves.
 */
export interface ConsoleModel {
  readonly schemas: readonly { readonly name: string; readonly comment: string | null }[];
  /** Whether REST needs the header that names a schema. */
  readonly profiles: boolean;
  readonly maxRows: number;
  /** Whether the server verifies bearer tokens. */
  readonly tokens: boolean;
  readonly graphql: boolean;
  /** Whether GraphQL has subscriptions. */
  readonly subscriptions?: boolean | undefined;
  /** Whether GraphiQL is served. */
  readonly graphiql: boolean;
  /** Where PostgREST's form of REST is served, and whether it answers plans. */
  readonly postgrest?: { readonly path: string; readonly plans: boolean } | undefined;
  /** The database roles of requests without a token and with one, where settings name them. */
  readonly roles?: { readonly anonymous?: string | undefined; readonly token?: string | undefined } | undefined;
  readonly tables: readonly ConsoleTable[];
  readonly functions: readonly ConsoleFunction[];
  readonly guide: ConsoleGuide;
}

export interface ConsoleTable {
  /** The GraphQL root field, which is the key of the table. */
  readonly field: string;
  /** The fields of GraphQL beside `field`. */
  readonly fields: {
    readonly byPk: string;
    readonly aggregate: string;
    readonly create: string;
    readonly changes: string;
  };
  readonly schema: string;
  readonly name: string;
  readonly kind: 'table' | 'view' | 'materializedView';
  readonly comment: string | null;
  readonly columns: readonly ConsoleColumn[];
  readonly primaryKey: readonly string[];
  readonly uniques: readonly { readonly name: string; readonly columns: readonly string[] }[];
  readonly relations: readonly ConsoleRelation[];
  readonly references: readonly DiagramReference[];
  readonly writes: readonly ('insert' | 'update' | 'delete')[];
  /** What only the catalogue says. Absent where the server has none. */
  readonly facts?: ConsoleFacts | undefined;
}

export interface ConsoleFacts {
  readonly indexes: readonly { readonly name: string; readonly text: string }[];
  readonly checks: readonly { readonly name: string; readonly definition: string }[];
  readonly rowSecurity: 'off' | 'on' | 'forced';
  readonly policies: readonly Policy[];
}

export interface ConsoleColumn {
  readonly name: string;
  readonly field: string;
  /** Its name over REST. */
  readonly rest: string;
  /** As one would write it in SQL, where the catalogue is known. */
  readonly type: string;
  readonly kind: string;
  /** Of an enum: its labels, and what GraphQL calls them. */
  readonly values?: readonly { readonly label: string; readonly name: string }[] | undefined;
  /** Whether GraphQL shows it without a selection of its own. */
  readonly leaf: boolean;
  readonly nullable: boolean;
  readonly hasDefault: boolean;
  readonly readOnly: boolean;
  /** Updates cannot write it. */
  readonly insertOnly: boolean;
  readonly default: string | null;
  readonly comment: string | null;
}

export interface ConsoleRelation {
  readonly name: string;
  readonly cardinality: 'one' | 'many';
  /** The field of the other table. */
  readonly table: string;
  /** What REST embedding calls it. */
  readonly constraint: string;
  readonly columns: readonly string[];
  readonly references: readonly string[];
  readonly direction: 'forward' | 'reverse' | 'through' | 'function';
}

export interface ConsoleFunction {
  readonly field: string;
  readonly schema: string;
  readonly name: string;
  readonly operation: 'query' | 'mutation';
  readonly kind: 'function' | 'procedure';
  readonly arguments: readonly {
    readonly name: string;
    readonly field: string;
    readonly kind: string;
    readonly optional: boolean;
  }[];
  /** The field of the table whose rows it answers. */
  readonly table: string | null;
  readonly returnsSet: boolean;
  readonly comment: string | null;
}

/**
 * What `app.console-guide` names: users to try the server as, and things to try, in their order.
 */
export interface ConsoleGuide {
  readonly users: readonly { readonly name: string; readonly token: string }[];
  readonly tasks: readonly ConsoleTask[];
}

export interface ConsoleTask {
  readonly title: string;
  readonly text: string;
  /** A document of GraphQL, or a path of REST with its schema. */
  readonly graphql?: string | undefined;
  readonly rest?: { readonly path: string; readonly schema?: string | undefined } | undefined;
  /** The users, by name, whom it is shown as one after the other. `null`: without a token. */
  readonly users?: readonly (string | null)[] | undefined;
}
