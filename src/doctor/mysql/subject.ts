import {
  type Catalog,
  likePattern,
  Patterns,
  type QualifiedName,
  type Routine,
  type Table,
} from '@tablewright/runtime/model';
import type { ServedObjects } from '../examination.js';
import { pathOf } from '../quote.js';
import type { Serving } from '../serving.js';
import type { MysqlFacts, MysqlFunctionFacts, MysqlViewFacts } from './facts.js';
import { quoted, quotedPath } from './quote.js';

/** The facts that the rules of MariaDB examine. */
export interface MysqlSubject {
  readonly catalog: Catalog;
  readonly facts: MysqlFacts;
  readonly serving: Serving;
  /**
   * The tables and views, without those that the configuration excludes and those that the account
   * may not touch.
   */
  readonly served: readonly Table[];
  /** The procedures that are not excluded, and the functions that the configuration names. */
  readonly called: readonly Routine[];
  /** Functions that read the variables of the request, themselves or through other functions. */
  readonly requestFunctions: readonly MysqlFunctionFacts[];
  /** Views whose rows depend on the user of the request. */
  readonly filters: readonly FilteringView[];
}

export interface FilteringView extends MysqlViewFacts {
  /** The tables and views that it names. */
  readonly reads: readonly QualifiedName[];
}

export function createMysqlSubject(
  catalog: Catalog,
  facts: MysqlFacts,
  serving: Serving,
  { exclude = [], functions = [] }: ServedObjects = {},
): MysqlSubject {
  const excluded = new Patterns(exclude);
  const named = new Patterns(functions);
  const requestFunctions = functionsOfTheRequest(facts.functions);
  return {
    catalog,
    facts,
    serving,
    served: catalog.tables.filter((table) => !excluded.matches(table.schema, table.name) && mayTouch(facts, table)),
    called: catalog.routines.filter(
      ({ kind, schema, name }) =>
        !excluded.matches(schema, name) && (kind === 'procedure' || named.matches(schema, name)),
    ),
    requestFunctions,
    filters: facts.views
      .filter((view) => requestFunctions.some((each) => isCalledBy(view, each)))
      .map((view) => ({
        ...view,
        reads: catalog.tables.filter(
          (table) => pathOf(table) !== pathOf(view) && view.definition.includes(printed(table)),
        ),
      })),
  };
}

const rowRights = new Set(['SELECT', 'INSERT', 'UPDATE', 'DELETE']);

/** Whether the account that serves may read or write rows of a table. */
const mayTouch = ({ rights }: MysqlFacts, { schema, name }: QualifiedName): boolean =>
  rights.some((each) => {
    if (!rowRights.has(each.right)) return false;
    if (each.schema === null) return true;
    return each.table === null ? likePattern(each.schema).test(schema) : each.schema === schema && each.table === name;
  });

/** Those that read `@request.…`, and those that call them. */
function functionsOfTheRequest(functions: readonly MysqlFunctionFacts[]): readonly MysqlFunctionFacts[] {
  const found = new Set(functions.filter(({ body }) => body !== null && /@`?request\./i.test(body)));
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const each of functions) {
      if ([...found].some(({ name }) => each.body !== null && calls(each.body, name))) found.add(each);
    }
  }
  return functions.filter((each) => found.has(each));
}

const calls = (body: string, name: string): boolean =>
  body.includes(`${quoted(name)}(`) || new RegExp(`\\b${escaped(name)}\\s*\\(`, 'i').test(body);

/** A function of the view's own schema is printed without it. */
const isCalledBy = (view: MysqlViewFacts, each: MysqlFunctionFacts): boolean =>
  view.definition.includes(`${printed(each)}(`) ||
  (view.schema === each.schema && new RegExp(`(?<!\\.)${escaped(quoted(each.name))}\\(`).test(view.definition));

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A name as the server prints it in the definition of a view: quoted. */
const printed = quotedPath;
