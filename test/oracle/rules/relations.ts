import { z } from 'zod';

/** A relation field of a type, as the schema describes it. */
export interface Relation {
  readonly name: string;
  readonly kind: 'one' | 'many' | 'aggregate';
  /** The type that it leads to. */
  readonly target: string;
}

/** A type whose rows a table or a view has. */
export interface RowType {
  readonly type: string;
  readonly columns: readonly string[];
  readonly relations: readonly Relation[];
}

const reference: z.ZodType<Reference> = z.lazy(() =>
  z.object({ kind: z.string(), name: z.string().nullish(), ofType: reference.nullish() }),
);
interface Reference {
  readonly kind: string;
  readonly name?: string | null | undefined;
  readonly ofType?: Reference | null | undefined;
}
const answer = z.object({
  data: z.object({
    __schema: z.object({
      types: z.array(
        z.object({
          kind: z.string(),
          name: z.string(),
          fields: z.array(z.object({ name: z.string(), type: reference })).nullish(),
        }),
      ),
    }),
  }),
});

const query = `{ __schema { types { kind name fields { name type { kind name ofType { kind name ofType { kind name
  ofType { kind name } } } } } } } }`;

/**
 * The row types of these tables, by the names that the schema gives them and their relations.
 * @param types type by table
 */
export async function readRelations(
  ask: (query: string) => Promise<unknown>,
  types: readonly string[],
): Promise<readonly RowType[]> {
  const { types: all } = answer.parse(await ask(query)).data.__schema;
  return types.map((type): RowType => {
    const fields = all.find(({ name }) => name === type)?.fields ?? [];
    const relations = fields.flatMap((field): readonly Relation[] => {
      const kinds = kindsOf(field.type);
      const name = kinds.at(-1)?.name ?? '';
      if (types.includes(name))
        return [{ name: field.name, kind: kinds.some(({ kind }) => kind === 'LIST') ? 'many' : 'one', target: name }];
      const counted = name.replace(/Aggregate$/, '');
      return counted !== name && types.includes(counted)
        ? [{ name: field.name, kind: 'aggregate', target: counted }]
        : [];
    });
    const columns = fields.map(({ name }) => name).filter((name) => !relations.some((each) => each.name === name));
    return { type, columns, relations };
  });
}

const kindsOf = (of: Reference): readonly Reference[] =>
  of.ofType === null || of.ofType === undefined ? [of] : [of, ...kindsOf(of.ofType)];
