import { requestVariables as names, type RequestVariable, type RequestVariables } from '../request-variables.js';

/**
 * The sources of everything that may call `current_setting` or `set_config` while a request runs.
 * A compiled expression names a function by its number: only those that call one of these are
 * printed. A function with a body in the SQL standard's form has no source, but a definition.
 * Source: PostgreSQL manual, "System Catalogs".
 */
const sources = `
  select case when p.prosrc = '' then pg_get_functiondef(p.oid) else p.prosrc end
  from pg_proc p
  where p.prokind in ('f', 'p') and p.pronamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
  union all
  select pg_get_expr(polqual, polrelid) from pg_policy where polqual::text ~ calls.pattern
  union all
  select pg_get_expr(polwithcheck, polrelid) from pg_policy where polwithcheck::text ~ calls.pattern
  union all
  select pg_get_ruledef(oid) from pg_rewrite where ev_qual::text ~ calls.pattern or ev_action::text ~ calls.pattern
  union all
  select pg_get_triggerdef(oid) from pg_trigger where tgqual::text ~ calls.pattern
  union all
  select pg_get_expr(adbin, adrelid) from pg_attrdef where adbin::text ~ calls.pattern
  union all
  select pg_get_constraintdef(oid) from pg_constraint where conbin::text ~ calls.pattern`;

/** A name may be put together: the whole group is then mentioned. */
const mention = String.raw`(?:request|response)\.(?:jwt|headers|cookies|method|path|status|['"%])`;

const lookUp = `
  select distinct lower(found[1])
  from (
    select ':funcid (' || string_agg(p.oid::text, '|') || ') ' as pattern
    from pg_proc p
    where p.pronamespace = 'pg_catalog'::regnamespace and p.proname in ('current_setting', 'set_config')
  ) calls,
  lateral (${sources}) as sources (source),
  lateral regexp_matches(source, $1, 'gi') as found`;

/** The variables of a group that a mention names. */
const meant = (mention: string): readonly RequestVariable[] =>
  names.filter((name) => name.startsWith(mention.replace(/['"%]$/, '')));

const quoted = (name: string): string =>
  name
    .split('.')
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join('.');

export const requestVariables: RequestVariables = {
  mentioned: async (driver) => {
    const rows = await driver.run([{ text: lookUp, values: [`(${mention})`] }]);
    return new Set(rows.flatMap(([found]) => (found === undefined || found === null ? [] : meant(found))));
  },
  readBack: {
    text: `select nullif(current_setting('response.headers', true), ''), nullif(current_setting('response.status', true), '')`,
    values: [],
  },
  call: (name) => ({ text: `select ${quoted(name)}()`, values: [] }),
  exists: async (driver, name) => {
    const text = 'select to_regprocedure($1)::text';
    const rows = await driver.run([{ text, values: [`${quoted(name)}()`] }]);
    return (rows[0]?.[0] ?? null) !== null;
  },
};
