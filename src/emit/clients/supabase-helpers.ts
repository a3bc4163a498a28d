/**
 * The types that Supabase's generator writes below `Database`: `Tables<'users'>`, or
 * `Tables<{ schema: 'shop' }, 'users'>` for a schema other than the first one.
 * @param first the name of that schema, as a literal
 */
export const helperTypes = (first: string): readonly string[] => [
  `type Schemas = Omit<Database, '__InternalSupabase'>;`,
  `type InSchema = { schema: keyof Schemas };`,
  `type SchemaOf<Given> = Given extends { schema: infer S extends keyof Schemas } ? S : ${first};`,
  `type Kind = 'Tables' | 'Views' | 'Enums' | 'CompositeTypes';`,
  `type Members<Given, K extends Kind> = Schemas[SchemaOf<Given>][K];`,
  `type Relations<Given> = Members<Given, 'Tables'> & Members<Given, 'Views'>;`,
  `type NameIn<Given, All> = Given extends InSchema ? keyof All : never;`,
  `type Member<Given, Name, All> = All[(Given extends InSchema ? Name : Given) & keyof All];`,
  helper('Tables', 'Relations<Given>', 'Row', first),
  helper('TablesInsert', `Members<Given, 'Tables'>`, 'Insert', first),
  helper('TablesUpdate', `Members<Given, 'Tables'>`, 'Update', first),
  helper('Enums', `Members<Given, 'Enums'>`, undefined, first),
  helper('CompositeTypes', `Members<Given, 'CompositeTypes'>`, undefined, first),
];

function helper(name: string, all: string, form: string | undefined, first: string): string {
  const member = `Member<Given, Name, ${all}>`;
  return [
    `export type ${name}<`,
    `  Given extends keyof ${all.replace('Given', first)} | InSchema,`,
    `  Name extends NameIn<Given, ${all}> = never,`,
    form === undefined ? `> = ${member};` : `> = ${member} extends { ${form}: infer Value } ? Value : never;`,
  ].join('\n');
}
