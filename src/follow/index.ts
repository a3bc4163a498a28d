import type { Settings } from '@tablewright/runtime/model';
import { Kind, parse, validate, type GraphQLSchema } from 'graphql';
import { isScript, schemaOf, type ApiState, type FoundFile, type Rename } from '../api/index.js';
import { emitGraphqlSchema, emitProject } from '../emit/index.js';
import { followCode, type Followed, type FollowedFile } from './code.js';
import { edited, type Left } from './edits.js';
import { followGraphql, type GraphqlEdits } from './graphql.js';
import { mentionOf } from './mention.js';
import { newNames, type GraphqlRenames } from './names.js';

export type { Followed, FollowedFile } from './code.js';
export type { Left } from './edits.js';

/** What to follow, and with which files. */
export interface FollowInputs {
  readonly folder: string;
  readonly before: ApiState;
  readonly after: ApiState;
  readonly settings: Partial<Settings>;
  /** Those that are to be followed. */
  readonly renames: readonly Rename[];
  /** Files with GraphQL, beside the code of the project. */
  readonly documents: readonly FoundFile[];
}

/**
 * Rewrites the user's code and documents to the new names of the database, in memory. Places
 * without a safe rewrite are listed with its file and line. Throws TablewrightError USAGE when the
 * project has no tsconfig.json.
 */
export async function planFollow({
  folder,
  before,
  after,
  settings,
  renames,
  documents,
}: FollowInputs): Promise<Followed> {
  const names = newNames(before.model, after.model, renames);
  const inputs = { catalog: '', settings };
  const old = emitProject(before.model, inputs);
  const schema = schemaOf(emitGraphqlSchema(before.model, settings).text);
  const followText = (text: string): GraphqlEdits | undefined => inCode(text, schema, names.graphql);
  const code = await followCode({
    folder,
    names,
    old,
    now: emitProject(after.model, inputs),
    followText,
    mention: mentionOf(names),
  });
  const known = new Set(code.files.map(({ absolute }) => absolute));
  const others = await Promise.all(
    documents.filter(({ absolute }) => !known.has(absolute)).map((file) => followDocument(file, schema, names.graphql)),
  );
  return {
    files: [...code.files, ...others.flatMap(({ files }) => files)],
    left: [...code.left, ...others.flatMap(({ left }) => left)],
  };
}

/** Only a text that is a valid operation of the old schema is taken for GraphQL. */
function inCode(text: string, schema: GraphQLSchema, renames: GraphqlRenames): GraphqlEdits | undefined {
  if (!text.includes('{')) return undefined;
  try {
    const document = parse(text);
    const found = followGraphql(text, schema, renames);
    if (found.edits.length === 0 && found.left.length === 0) return undefined;
    // The generated schema has no fields of the user's code, and fragments may come from another
    // text.
    const errors = validate(schema, document).filter(({ message }) => !/^Unknown fragment|is never used/.test(message));
    const isOperation =
      document.definitions.some(({ kind }) => kind !== Kind.OPERATION_DEFINITION) || errors.length === 0;
    return isOperation || errors.every(({ message }) => message.startsWith('Cannot query field')) ? found : undefined;
  } catch {
    return undefined;
  }
}

async function followDocument(file: FoundFile, schema: GraphQLSchema, renames: GraphqlRenames): Promise<Followed> {
  const { path, absolute, text } = file;
  if (/\.(graphqls?|gql)$/.test(path)) {
    return /^\s*(#.*\s*)*$/.test(text) ? nothing : written(file, [{ text, start: 0 }], schema, renames);
  }
  if (!isScript(path)) {
    const uses = [...renames.members.keys()].some((key) => text.includes(key.slice(key.indexOf('.') + 1)));
    const message = 'This manifest is generated from documents: generate it again from the changed documents.';
    return uses ? { files: [], left: [{ file: path, line: 1, message }] } : nothing;
  }
  const { templatesOf } = await import('../api/documents/script.js');
  return written({ path, absolute, text }, templatesOf(path, text), schema, renames);
}

const nothing: Followed = { files: [], left: [] };

function written(
  { path, absolute, text }: FoundFile,
  parts: readonly { readonly text: string; readonly start: number }[],
  schema: GraphQLSchema,
  renames: GraphqlRenames,
): Followed {
  const found = parts
    .filter((part) => part.text.trim() !== '')
    .map((part) => ({ part, edits: followGraphql(part.text, schema, renames) }));
  const edits = found.flatMap(({ part, edits: { edits: own } }) =>
    own.map((edit) => ({ ...edit, start: edit.start + part.start, end: edit.end + part.start })),
  );
  const left = found.flatMap(({ part, edits: { left: own } }) =>
    own.map(({ start, message }): Left => {
      const line = text.slice(0, start + part.start).split('\n').length;
      return { file: path, line, message };
    }),
  );
  const after = edited(text, edits);
  const files: readonly FollowedFile[] = after === text ? [] : [{ absolute, path, before: text, after }];
  return { files, left };
}
