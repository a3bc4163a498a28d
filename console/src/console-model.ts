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
  /** Whether each role has a model of its own. */
  readonly byRole?: true | undefined;
  readonly tables: readonly ConsoleTable[];
  readonly functions: readonly ConsoleFunction[];
  readonly guide: ConsoleGuide;
  /** In development: the server explains why a caller does not see a row. */
  readonly explains: boolean;
  /** In development: names of claims that the server signs with others. Absent: it has no key. */
  readonly claims?: readonly string[] | undefined;
}

/** Why a caller sees a row, or does not. Members that the database does not decide are absent. */
export interface RowExplanation {
  readonly sees: boolean;
  /** Why the caller's read fails. */
  readonly problem?: string | undefined;
  /** Absent: no role of the server is able to see past the policies. */
  readonly exists?: boolean | undefined;
  /** The database role of the request. */
  readonly role?: string | undefined;
  /** Whether the role may use the schema and read the table. */
  readonly grants?: { readonly schema: boolean; readonly table: boolean } | undefined;
  /** Whether policies hold for the role. */
  readonly rowSecurity?: boolean | undefined;
  /** Those that decide which rows are read. */
  readonly policies?: readonly TestedPolicy[] | undefined;
  /** A rule of the configuration, or a hook without text. `holds` is absent if not known. */
  readonly rule?: { readonly text?: string | undefined; readonly holds?: boolean | undefined } | undefined;
}

export interface TestedPolicy {
  readonly name: string;
  readonly permissive: boolean;
  readonly roles: string;
  /** Whether it is a policy for the role of the request. */
  readonly applies: boolean;
  readonly using: string;
  /** Of the expression, for the row. Absent: it was not evaluated. */
  readonly value?: boolean | null | undefined;
  /** Why the expression cannot be evaluated. */
  readonly problem?: string | undefined;
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
  /** Pages of the user's code, which the header links to. */
  readonly pages: readonly { readonly name: string; readonly path: string }[];
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
