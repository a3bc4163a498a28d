import { compareText } from '../compare-text.js';
import type { Catalog } from '../catalog/catalog.js';
import type { Model, Warning } from './model.js';
import type { ModelOptions } from '../descriptor/options.js';
import { Patterns } from './patterns.js';
import { excludedNames } from './excluded.js';
import { draftRelations } from './relations.js';
import { draftComputed, draftComputedRelations, nameComputedInputs, type ComputedScope } from './computed.js';
import { buildFunctions, nameRowTypes } from './functions.js';
import { callableFunctions } from './callable.js';
import { folderName } from './files.js';
import { withGivenTypes } from './given-types.js';
import { draftGivenComputed } from './given-computed.js';
import { listedFunctions } from './listed-functions.js';
import { relayNames, reservedFields } from './reserved.js';
import { describedProcedures } from './result-sets.js';
import { buildProcedures } from './routines.js';
import { buildSchemas } from './schemas.js';
import { scopeTables } from './scope.js';
import { sharedTypes } from '../schema/shared-types.js';
import { buildTable, nameEnumFilters, type TableContext } from './tables.js';
import { nameTypes } from './type-names.js';
import type { ModelDialect } from './types.js';
import { buildComposites, buildEnums, servedComposites, servedEnums } from './user-types.js';
import { linkTables } from './views.js';
import { movedType, unusedOptions } from './warnings.js';

/** Makes models of the catalogues of one kind of database. */
export const modelBuilder =
  (dialect: ModelDialect) =>
  (catalog: Catalog, options: ModelOptions = {}): Model =>
    buildModel(catalog, options, dialect);

/**
 * Makes every decision about names and types. Pure: equal catalogues give equal models, independent
 * of their order.
 * @throws TablewrightError NAME_COLLISION, or CONFIG_INVALID for a `rename` that is not possible
 */
function buildModel(read: Catalog, options: ModelOptions, dialect: ModelDialect): Model {
  const warnings: Warning[] = [];
  const exclude = new Patterns(options.exclude);
  const functions = new Patterns(options.functions);
  const notNull = new Patterns(options.notNull);
  const optional = new Patterns(options.optional);

  const links = linkTables(read, options);
  const { catalog, patterns } = withGivenTypes(read, links, options.types, dialect);
  const scoped = scopeTables(catalog, exclude, links);
  const names = nameTypes(catalog, scoped, options, dialect.vocabulary);
  warnings.push(...names.moved.map((id) => movedType(id, names)));
  const resolve = dialect.columnTypes(catalog, {
    enums: servedEnums(catalog, names),
    composites: servedComposites(catalog, names),
  });

  const relations = draftRelations(scoped, names);
  const composites = servedComposites(catalog, names);
  const scope: ComputedScope = { catalog, tables: scoped, exclude, composites };
  const computed = joinedLists(
    draftComputed(scope, names.rules, resolve, warnings),
    draftGivenComputed(scope, options.computed, names.rules, resolve, dialect.fitsArgument),
  );
  const answered = draftComputedRelations(scope, names);
  const filters = nameEnumFilters(scoped, names, resolve);
  const computedInputs = nameComputedInputs(computed, names, filters);
  const context: TableContext = {
    catalog,
    resolve,
    notNull,
    optional,
    names,
    filters,
    computedInputs,
    options,
    exclude,
    warnings,
  };
  const tables = scoped.map((table) =>
    buildTable(
      context,
      table,
      [...(relations.get(table.key)?.fields ?? []), ...(answered.get(table.key) ?? [])],
      relations.get(table.key)?.embedded ?? [],
      computed.get(table.key) ?? [],
    ),
  );
  // A function of a row and of other arguments is a root field, too, where it is listed.
  const ofRow = [...computed.values()].flat().filter(({ model }) => model.arguments.length === 0);
  const ids = new Set(ofRow.map(({ id }) => id));
  const listed = listedFunctions(
    { catalog, exclude, listed: functions, tables: scoped, composites, computed: ids },
    warnings,
  );
  const mutations = new Set(
    tables.flatMap(({ fields }) => [fields.create, fields.createMany, fields.update, fields.delete]),
  );
  const described = describedProcedures(
    { catalog, tables: scoped, exclude, typeNamed: dialect.typeNamed },
    options.procedures,
    warnings,
  );
  const procedures = buildProcedures(catalog, exclude, options, names.rules, resolve, mutations, warnings);
  const routines = [...listed, ...described.routines].sort(
    (a, b) => compareText(a.schema, b.schema) || compareText(a.name, b.name),
  );
  const rowTypes = nameRowTypes({ routines, tables: scoped, names });
  const called = buildFunctions(
    {
      routines,
      resultSets: described,
      tables: scoped,
      names,
      options,
      taken: rootNames(tables, procedures, options),
      warnings,
    },
    rowTypes,
    rowTypes.size === 0
      ? resolve
      : dialect.columnTypes(catalog, {
          enums: servedEnums(catalog, names),
          composites: new Map([...composites, ...rowTypes]),
        }),
  );
  const callable = dialect.callsUnlisted
    ? callableFunctions({
        ...{ catalog, exclude, tables: scoped, names, resolve: dialect.columnTypes },
        listed: options.functions === undefined ? undefined : functions,
      })
    : undefined;
  const mediaHandlers = catalog.mediaHandlers?.filter(({ schema, name }) => !exclude.matches(schema, name));
  const all = {
    enums: buildEnums(catalog, names, options),
    composites: [...buildComposites(catalog, names, options, resolve), ...called.composites],
  };
  const { named, ...shared } = sharedTypes(
    {
      tables: tables.map(({ descriptor }) => descriptor),
      procedures: procedures.map(({ descriptor }) => descriptor),
      functions: called.functions.map(({ descriptor }) => descriptor),
      composites: all.composites.map(({ descriptor }) => descriptor),
    },
    dialect.operators,
  );
  const isUsed = ({ descriptor }: { readonly descriptor: { readonly type: string } }): boolean =>
    named.has(descriptor.type);
  const used = { ...shared, enums: all.enums.filter(isUsed), composites: all.composites.filter(isUsed) };

  const known = new Set([...names.tables.keys(), ...names.enums.keys(), ...names.composites.keys()]);
  for (const { descriptor } of [...procedures, ...called.functions])
    known.add(`${descriptor.schema}.${descriptor.name}`);
  warnings.push(...unusedOptions(options, known, exclude, [functions, notNull, optional], patterns));
  return {
    dialect: catalog.dialect,
    schemas: buildSchemas(catalog, [
      ...[...tables, ...used.enums, ...used.composites, ...procedures, ...called.functions],
      ...[...(callable ?? []), ...(mediaHandlers ?? [])].map((descriptor) => ({
        descriptor,
        folder: folderName(descriptor.schema),
      })),
    ]),
    tables,
    ...used,
    procedures,
    functions: called.functions,
    ...(callable === undefined ? {} : { callable }),
    ...(mediaHandlers && mediaHandlers.length > 0 && { mediaHandlers }),
    vector: catalog.extensions.some((extension) => extension.name === 'vector'),
    options,
    excluded: excludedNames(catalog, exclude),
    warnings,
  };
}

/**
 * The root fields of tables and procedures, and reserved names, each with its
 * operation in front.
 */
const rootNames = (
  tables: Model['tables'],
  procedures: Model['procedures'],
  options: ModelOptions,
): ReadonlySet<string> =>
  new Set([
    ...[...reservedFields, ...relayNames(options).fields].map((name) => `query:${name}`),
    ...tables.flatMap(({ fields: { list, byPk, connection, aggregate } }) =>
      [list, byPk, connection, aggregate].map((name) => `query:${name}`),
    ),
    ...tables.flatMap(({ fields }) =>
      [fields.create, fields.createMany, fields.update, fields.delete].map((name) => `mutation:${name}`),
    ),
    ...procedures.map(({ descriptor }) => `mutation:${descriptor.field}`),
  ]);

const joinedLists = <T>(
  one: ReadonlyMap<string, readonly T[]>,
  other: ReadonlyMap<string, readonly T[]>,
): ReadonlyMap<string, readonly T[]> =>
  new Map(
    [...new Set([...one.keys(), ...other.keys()])].map((key) => [
      key,
      [...(one.get(key) ?? []), ...(other.get(key) ?? [])],
    ]),
  );
