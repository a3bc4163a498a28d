import {
  compareModels,
  type ApiChange,
  type ApiChangeType,
  type ApiSubject,
  type Catalog,
  type Model,
  type Settings,
} from '@tablewright/runtime/model';
import type { GraphQLSchema } from 'graphql';
import {
  gravest,
  severities,
  type ApiComparison,
  type ChangeGroup,
  type ClientChange,
  type Severity,
} from './change.js';
import { compareSchemas, schemaOf, type GraphqlChange } from './graphql-changes.js';
import { graphqlNames, type GraphqlNames } from './graphql-names.js';
import { findRelationRenames, findRenames, placeText, type Rename } from './renames/index.js';
import { restChanges } from './rest-changes.js';

/** One of the two states that are compared. */
export interface ApiState {
  readonly catalog: Catalog;
  readonly model: Model;
  /** The text of schema.graphql as it was committed; default: as the model has it. */
  readonly schema?: string | undefined;
  /** The settings of the configuration file: with a change feed there are subscriptions. */
  readonly settings?: Partial<Settings>;
}

/** A comparison, and the two GraphQL schemas that documents are checked against. */
export interface ComparedApis extends ApiComparison {
  readonly schemas: { readonly before: GraphQLSchema; readonly after: GraphQLSchema };
  readonly graphql: readonly GraphqlChange[];
}

/**
 * Compares what two states serve, over both protocols: GraphQL by the rules of graphql-js, REST by
 * the descriptors. Every change has the table and column it comes from. Pure.
 */
export function compareApis(before: ApiState, after: ApiState): ComparedApis {
  const [old, now] = [graphqlNames(before.model, before.settings), graphqlNames(after.model, after.settings)];
  const schemas = { before: schemaOf(before.schema ?? old.text), after: schemaOf(now.text) };
  const database = findRenames(before.catalog, after.catalog);
  const renames = [...database, ...findRelationRenames(before.model, after.model, database)];
  const causes = compareModels(before.model, after.model);
  const graphql = compareSchemas(schemas.before, schemas.after);
  const ofSchemas = graphql.map((change): Found => {
    const { severity, code, description } = change;
    return { severity, protocol: 'graphql', code, description, subject: subjectOf(change, old, now) };
  });
  const rest = restChanges(causes, before.model, after.model).map(({ change, code, severity, description }): Found => ({
    severity,
    protocol: 'rest',
    code,
    description,
    subject: change.subject,
  }));
  const found = [...ofSchemas, ...unseen(causes, ofSchemas), ...missing(causes), ...rest];
  return { renames, groups: grouped(found, causes, renames, [before.catalog, after.catalog]), schemas, graphql };
}

interface Found extends Pick<ClientChange, 'severity' | 'protocol' | 'code' | 'description'> {
  readonly subject: ApiSubject | undefined;
}

function subjectOf(
  { type, member, added }: GraphqlChange,
  old: GraphqlNames,
  now: GraphqlNames,
): ApiSubject | undefined {
  if (type === undefined) return undefined;
  const [first, second] = added ? [now, old] : [old, now];
  return first.subjectOf(type, member) ?? second.subjectOf(type, member);
}

/** Changes that do not change the schema's text: other rows or values under the same type. */
const silent: ReadonlySet<ApiChangeType> = new Set([
  'RELATION_CHANGED',
  'COLUMN_TYPE_CHANGED',
  'COMPUTED_FIELD_CHANGED',
  'ATTRIBUTE_TYPE_CHANGED',
]);

function unseen(causes: readonly ApiChange[], seen: readonly Found[]): readonly Found[] {
  const known = new Set(seen.map(({ subject }) => keyOf(subject)));
  return causes
    .filter(({ type, subject }) => silent.has(type) && !known.has(keyOf(subject)))
    .map(({ type, subject }) => ({
      severity: 'dangerous',
      protocol: 'graphql',
      code: type,
      description: `${subject.member ?? subject.object} has the same GraphQL type, and other values.`,
      subject,
    }));
}

/** Arguments that calls have to give: GraphQL's types do not say so, since null is a value. */
const missing = (causes: readonly ApiChange[]): readonly Found[] =>
  causes
    .filter(({ type }) => type.endsWith('_ARGUMENT_REQUIRED'))
    .map(({ type, subject, description }) => ({
      severity: 'breaking',
      protocol: 'graphql',
      code: type,
      description,
      subject,
    }));

const keyOf = (subject: ApiSubject | undefined): string =>
  subject === undefined ? '' : JSON.stringify([subject.kind, subject.object, subject.member]);

function grouped(
  found: readonly Found[],
  causes: readonly ApiChange[],
  renames: readonly Rename[],
  catalogs: readonly [before: Catalog, after: Catalog],
): readonly ChangeGroup[] {
  const explain = explainer(causes, renames);
  const groups = new Map<string, Found[]>();
  // In the order of the causes, so that a report reads table by table.
  for (const { subject } of causes) groups.set(explain(subject).key, []);
  for (const each of found) {
    const { key } = explain(each.subject);
    const members = groups.get(key) ?? [];
    members.push(each);
    groups.set(key, members);
  }
  const enumPlaces = placesOfEnums(catalogs);
  return [...groups.values()]
    .flatMap((members): readonly ChangeGroup[] => {
      const [first] = members;
      if (first === undefined) return [];
      const { subject, rename, reason } = explain(first.subject);
      const severity = gravest(members.map((each) => each.severity));
      const place = placeOf(subject, enumPlaces);
      const changes = members.map(({ subject: _subject, ...change }) => ({ ...change, ...place, reason }));
      return [{ subject, severity, rename, reason, changes: changes.sort(bySeverity) }];
    })
    .sort(bySeverity);
}

const rank = (severity: Severity): number => severities.indexOf(severity);
const bySeverity = (a: { readonly severity: Severity }, b: { readonly severity: Severity }): number =>
  rank(a.severity) - rank(b.severity);

interface Explanation extends Pick<ChangeGroup, 'subject' | 'rename' | 'reason'> {
  /** Equal for both names of what was renamed. */
  readonly key: string;
}

/** Describes the changes of an object. */
function explainer(
  causes: readonly ApiChange[],
  renames: readonly Rename[],
): (subject: ApiSubject | undefined) => Explanation {
  const moved = new Map<string, Rename>(
    renames.flatMap((rename) =>
      [rename.from, rename.to].map((place) => [`${kindOf(rename)} ${placeText(place)}`, rename] as const),
    ),
  );
  const reasons = new Map<string, string[]>();
  for (const { subject, description } of causes) {
    reasons.set(keyOf(subject), [...(reasons.get(keyOf(subject)) ?? []), description]);
  }
  return (subject) => {
    if (subject === undefined) return { key: '', subject, rename: undefined, reason: otherCause };
    const rename = moved.get(`${subject.kind} ${placeText(subject)}`);
    if (rename !== undefined) {
      const from: ApiSubject = { kind: kindOf(rename), ...rename.from };
      return { key: keyOf(from), subject: from, rename, reason: renameText(rename) };
    }
    const own = reasons.get(keyOf(subject)) ?? reasons.get(keyOf({ kind: 'table', object: subject.object }));
    return { key: keyOf(subject), subject, rename, reason: own?.join(' ') ?? otherCause };
  };
}

/**
 * Of names that belong to no object: those of the configuration, and types such as
 * StringFilterInput.
 */
const otherCause = 'The configuration or the generator gives other names, or a shared type is no longer used.';

const kindOf = ({ kind }: Rename): 'table' | 'column' | 'relation' | 'enum' => (kind === 'enumValue' ? 'enum' : kind);

/**
 * `kanban.issues.title is renamed to headline: it has the old column's place in issues_title_idx.`
 */
export function renameText({ from, to, certain, evidence }: Rename): string {
  const name = from.member !== undefined && from.object === to.object ? to.member : placeText(to);
  const verb = certain ? 'is renamed to' : 'may be renamed to';
  return `${placeText(from)} ${verb} ${name ?? ''}: ${evidence}.`;
}

type Placed = Pick<ClientChange, 'object' | 'table' | 'column'>;

/** The first column that has each enum or composite. */
function placesOfEnums(catalogs: readonly Catalog[]): ReadonlyMap<string, Placed> {
  return new Map(
    catalogs.flatMap(({ tables }) =>
      [...tables].reverse().flatMap((table) =>
        [...table.columns].reverse().map(({ name, type }) => {
          const object = `${type.schema}.${type.name}`;
          return [object, { object, table: `${table.schema}.${table.name}`, column: name }] as const;
        }),
      ),
    ),
  );
}

function placeOf(subject: ApiSubject | undefined, enums: ReadonlyMap<string, Placed>): Placed {
  if (subject === undefined) return { object: null, table: null, column: null };
  const { kind, object, member } = subject;
  if (kind === 'enum' || kind === 'composite') return enums.get(object) ?? { object, table: null, column: null };
  if (kind === 'procedure') return { object, table: null, column: null };
  return { object, table: object, column: kind === 'column' ? (member ?? null) : null };
}
