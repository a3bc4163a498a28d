import {
  Kind,
  visit,
  type DocumentNode,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Settings } from '../../../settings/settings.js';
import { checkRepetition } from './repetition.js';
import { refusedLimit } from '../arguments/refusal.js';

/**
 * Brackets inside brackets that no honest document needs; graphql-js's parser is recursive and
 * overflows the stack at some 2,000.
 */
const maxBrackets = 200;

/**
 * Refuses a text whose brackets are nested too deeply to be parsed safely. Linear; strings and
 * comments do not count. Throws ServerError `limitExceeded`. Accepted: `{a(b: "((((")}`. Rejected:
 * `{{{…`, 10,000 deep.
 */
export function checkNesting(text: string): void {
  let depth = 0;
  for (const [token] of text.matchAll(tokens)) {
    if (token === '{' || token === '[' || token === '(') depth += 1;
    else if (token === '}' || token === ']' || token === ')') depth -= 1;
    if (depth > maxBrackets) throw refusedLimit('The document is nested too deeply.', 'app.graphql.max-depth');
  }
}

/**
 * Block strings, strings, comments, brackets.
 * https://spec.graphql.org/October2021/#sec-Appendix-Grammar-Summary.Lexical-Tokens
 */
const tokens = /"""(?:\\"""|[^"]|"(?!""))*(?:"""|$)|"(?:\\.|[^"\\\n\r])*"?|#[^\n\r]*|[{}[\]()]/g;

/** The totals of a part of a document, with its fragments expanded. */
interface Size {
  readonly depth: number;
  readonly fields: number;
  readonly aliases: number;
  readonly directives: number;
}

/**
 * Refuses a document that is larger than the settings allow, fragments written out: so a few lines
 * of fragments that grow exponentially are refused without being followed. Runs before validation,
 * some of whose rules are not linear. Throws ServerError `limitExceeded`. Source: decision 008.
 */
export function checkLimits(document: DocumentNode, settings: Settings): void {
  const fragments = new Map(
    document.definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each]] : [])),
  );
  atMost(countDirectives(document), settings, 'app.graphql.max-directives', 'directives');
  const sizeOfFragment = sizes(fragments);
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION && definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
    const size = sizeOf(definition.selectionSet, sizeOfFragment);
    atMost(size.depth, settings, 'app.graphql.max-depth', 'levels of nesting');
    atMost(size.aliases, settings, 'app.graphql.max-aliases', 'aliases');
    atMost(size.directives, settings, 'app.graphql.max-directives', 'directives');
    atMost(size.fields, settings, 'app.graphql.max-tokens', 'fields');
    if (definition.kind === Kind.OPERATION_DEFINITION) {
      atMost(rootFields(definition, fragments), settings, 'app.graphql.max-root-fields', 'root fields');
    }
  }
  checkRepetition(document, fragments, settings['app.graphql.max-tokens']);
}

type LimitKey =
  | 'app.graphql.max-directives'
  | 'app.graphql.max-depth'
  | 'app.graphql.max-aliases'
  | 'app.graphql.max-tokens'
  | 'app.graphql.max-root-fields';

function atMost(count: number, settings: Settings, key: LimitKey, what: string): void {
  if (count > settings[key]) throw refusedLimit(`The document has more than ${String(settings[key])} ${what}.`, key);
}

function countDirectives(document: DocumentNode): number {
  let count = 0;
  visit(document, {
    Directive() {
      count += 1;
    },
  });
  return count;
}

const nothing: Size = { depth: 0, fields: 0, aliases: 0, directives: 0 };

/**
 * The size of each fragment, measured once. One that is inside itself counts as empty there:
 * validation refuses it.
 */
function sizes(fragments: ReadonlyMap<string, FragmentDefinitionNode>): (name: string) => Size {
  const known = new Map<string, Size>();
  const measure = (name: string): Size => {
    const size = known.get(name);
    if (size !== undefined) return size;
    known.set(name, nothing);
    const fragment = fragments.get(name);
    const measured = fragment === undefined ? nothing : sizeOf(fragment.selectionSet, measure);
    known.set(name, measured);
    return measured;
  };
  return measure;
}

function sizeOf(set: SelectionSetNode, sizeOfFragment: (name: string) => Size): Size {
  return set.selections.reduce<Size>((total, selection) => {
    const directives = selection.directives?.length ?? 0;
    if (selection.kind === Kind.FRAGMENT_SPREAD) return add(total, sizeOfFragment(selection.name.value), directives);
    if (selection.kind === Kind.INLINE_FRAGMENT)
      return add(total, sizeOf(selection.selectionSet, sizeOfFragment), directives);
    const inner = selection.selectionSet === undefined ? nothing : sizeOf(selection.selectionSet, sizeOfFragment);
    const introspects = selection.name.value === '__schema' || selection.name.value === '__type';
    return add(
      total,
      {
        // Introspection has a depth limit of its own, among the validation rules; the standard
        // query is 14 levels deep.
        depth: introspects ? 1 : inner.depth + 1,
        fields: inner.fields + 1,
        aliases: inner.aliases + (selection.alias === undefined ? 0 : 1),
        directives: inner.directives,
      },
      directives,
    );
  }, nothing);
}

const add = (total: Size, part: Size, directives: number): Size => ({
  depth: Math.max(total.depth, part.depth),
  fields: total.fields + part.fields,
  aliases: total.aliases + part.aliases,
  directives: total.directives + part.directives + directives,
});

function rootFields(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): number {
  const visited = new Set<string>();
  const count = (set: SelectionSetNode): number =>
    set.selections.reduce((total, selection) => {
      if (selection.kind === Kind.FIELD) return total + 1;
      if (selection.kind === Kind.INLINE_FRAGMENT) return total + count(selection.selectionSet);
      const fragment = fragments.get(selection.name.value);
      if (fragment === undefined || visited.has(selection.name.value)) return total;
      visited.add(selection.name.value);
      return total + count(fragment.selectionSet);
    }, 0);
  return count(operation.selectionSet);
}
