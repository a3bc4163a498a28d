/**
 * What the contract needs of a database. In documents `$` is the prefix of fields of tables, and
 * `$$` the same with a capital.
 */
export interface Merging {
  readonly ask: (document: string) => Promise<unknown>;
  /** The members of the enum of the keys of `users`. */
  readonly constraints: { readonly id: string; readonly a: string };
  /** Rows `(1, 'a1', 'b1', 'v1')` and `(2, 'a2', 'b2', 'v2')`, and nothing else. */
  readonly reset: () => Promise<void>;
  readonly rows: () => Promise<readonly unknown[]>;
}

const before = [
  { id: 1, a: 'a1', b: 'b1', v: 'v1' },
  { id: 2, a: 'a2', b: 'b2', v: 'v2' },
];

/** GraphQL's `onConflict`: the key that it names is the only one by which a row is merged. */
export function mergeContract(given: () => Merging): void {
  beforeEach(() => given().reset());

  const create = (input: string, key: 'id' | 'a', more = '') =>
    given().ask(
      `mutation { create$$Users(input: ${input}, onConflict: { constraint: ${given().constraints[key]} ${more} }) { id a b v } }`,
    );
  const createMany = (inputs: string, key: 'id' | 'a') =>
    given().ask(
      `mutation { createMany$$Users(inputs: ${inputs}, onConflict: { constraint: ${given().constraints[key]} }) { id } }`,
    );
  const conflict = { errors: [expect.objectContaining({ message: 'A row with this key exists already.' })] };

  test.each([
    ['the primary key, and the key of another row', '{ id: 1, a: "a2", v: "mine" }', 'id'],
    ['a unique key, and the primary key of another row', '{ id: 1, a: "a2", v: "mine" }', 'a'],
    ['a unique key of no row, and another one of a row', '{ id: 9, a: "a9", b: "b1", v: "mine" }', 'a'],
    ['the primary key of no row, and a unique key of a row', '{ id: 9, a: "a1", v: "mine" }', 'id'],
    ['the primary key, and two keys of another row', '{ id: 1, a: "a2", b: "b2" }', 'id'],
  ] as const)('a row that conflicts in another key is refused: %s', async (_, input, key) => {
    expect(await create(input, key)).toMatchObject(conflict);
    expect(await createMany(`[${input}]`, key)).toMatchObject(conflict);
    expect(await createMany(`[{ id: 7, a: "a7" }, ${input}]`, key)).toMatchObject(conflict);
    expect(await given().rows()).toEqual(before);
  });

  test('two rows that exchange their keys are refused', async () => {
    expect(await createMany('[{ id: 1, a: "a2" }, { id: 2, a: "a1" }]', 'id')).toMatchObject(conflict);
    expect(await given().rows()).toEqual(before);
  });

  test('a conflict of another write undoes the whole document', async () => {
    const { constraints, ask } = given();
    const reply = await ask(`mutation {
      one: create$$Users(input: { id: 1, v: "kept" }, onConflict: { constraint: ${constraints.id} }) { id }
      two: create$$Users(input: { id: 1, a: "a2" }, onConflict: { constraint: ${constraints.id} }) { id }
    }`);
    expect(reply).toMatchObject({ errors: [expect.objectContaining({ path: ['two'] })] });
    expect(await given().rows()).toEqual(before);
  });

  test('the row of the key is merged, and keeps what the request does not have', async () => {
    expect(await create('{ id: 1, v: "mine" }', 'id')).not.toHaveProperty('errors');
    expect(await given().rows()).toEqual([{ id: 1, a: 'a1', b: 'b1', v: 'mine' }, before[1]]);
    await create('{ id: 2, a: "a2", v: "mine", b: "b9" }', 'a', 'updateColumns: [v]');
    expect(await given().rows()).toEqual([
      { id: 1, a: 'a1', b: 'b1', v: 'mine' },
      { id: 2, a: 'a2', b: 'b2', v: 'mine' },
    ]);
  });

  test('a condition on the row that exists leaves it alone', async () => {
    await create('{ id: 1, v: "mine" }', 'id', 'where: { v: { eq: "other" } }');
    expect(await given().rows()).toEqual(before);
    await create('{ id: 1, v: "mine" }', 'id', 'where: { v: { eq: "v1" } }');
    expect(await given().rows()).toEqual([{ id: 1, a: 'a1', b: 'b1', v: 'mine' }, before[1]]);
  });

  test('rows inside a row merge by their own key alone', async () => {
    const { constraints, ask } = given();
    const team = (users: string) =>
      ask(`mutation { create$$Teams(input: { id: 1, name: "t", $Users: {
        data: [${users}], onConflict: { constraint: ${constraints.id} } } }) { id } }`);
    expect(await team('{ id: 3, a: "a3" }, { id: 1, a: "a2" }')).toMatchObject(conflict);
    expect(await given().rows()).toEqual(before);
    expect(await team('{ id: 3, a: "a3" }, { id: 1, v: "mine" }')).not.toHaveProperty('errors');
    expect(await given().rows()).toEqual([
      { id: 1, a: 'a1', b: 'b1', v: 'mine' },
      before[1],
      { id: 3, a: 'a3', b: null, v: null },
    ]);
  });
}
