/** A description of an API, as far as the explorer reads it: https://spec.openapis.org/oas/v3.1.1 */
export interface Description {
  readonly servers?: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly tags?: unknown;
  readonly security?: unknown;
}

type PathItem = Readonly<Record<string, unknown>>;

/** The table or function whose operations are shown. */
export interface Subject {
  readonly kind: 'table' | 'function';
  readonly schema: string;
  readonly name: string;
}

const methods = new Set(['get', 'post', 'put', 'patch', 'delete']);

/**
 * The operations of one table or function, with the components that they need, or all operations.
 * Each table has a heading of its own. The page sends the token, so the description says nothing of
 * security: a second field for a token would contradict the first.
 */
export function describedFor(whole: Description, subject: Subject | undefined): Description {
  const paths = Object.fromEntries(
    Object.entries(whole.paths)
      .filter(([path]) => subject === undefined || isOf(path, subject))
      .map(([path, item]) => [path, withHeading(path, item)]),
  );
  const shown = { paths, components: neededBy(paths, whole.components ?? {}) };
  return { ...without(whole, ['tags', 'security']), ...withDefaultSchema(shown, subject?.schema) };
}

const functionPath = 'rpc';

const segmentsOf = (path: string): readonly string[] => path.split('/').slice(1).map(decodeURIComponent);

function isOf(path: string, { kind, name }: Subject): boolean {
  const [first, second] = segmentsOf(path);
  return kind === 'table' ? first === name && first !== functionPath : first === functionPath && second === name;
}

function withHeading(path: string, item: PathItem): PathItem {
  const [first = '', second] = segmentsOf(path);
  const heading = first === functionPath && second !== undefined ? 'functions' : first;
  return Object.fromEntries(
    Object.entries(item).map(([key, value]) => [
      key,
      methods.has(key) && isObject(value) ? { ...value, tags: [heading] } : value,
    ]),
  );
}

/**
 * Chooses the schema in the headers that name one: the page would else show the first one as
 * chosen, and send none. Tables of several schemas may share a path, and then the header names all.
 */
function withDefaultSchema<T>(value: T, schema: string | undefined): T;
function withDefaultSchema(value: unknown, schema: string | undefined): unknown {
  if (Array.isArray(value)) return value.map((each) => withDefaultSchema(each as unknown, schema));
  if (!isObject(value)) return value;
  const own = value['schema'];
  if (profileHeader.test(String(value['name'])) && isObject(own) && Array.isArray(own['enum'])) {
    const names: readonly unknown[] = own['enum'];
    const chosen = schema !== undefined && names.includes(schema) ? schema : names[0];
    return { ...value, schema: { ...own, default: chosen } };
  }
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withDefaultSchema(each, schema)]));
}

const profileHeader = /^(?:Accept|Content)-Profile$/;

const without = (whole: Description, names: readonly string[]): Description => ({
  paths: whole.paths,
  ...Object.fromEntries(Object.entries(whole).filter(([name]) => !names.includes(name))),
});

/** The components that a value refers to, and those that they refer to. */
function neededBy(
  value: unknown,
  components: NonNullable<Description['components']>,
): NonNullable<Description['components']> {
  const needed: Record<string, Record<string, unknown>> = {};
  const visit = (each: unknown): void => {
    if (Array.isArray(each)) for (const item of each) visit(item);
    else if (isObject(each)) {
      for (const [key, member] of Object.entries(each)) {
        if (key === '$ref' && typeof member === 'string') follow(member);
        else visit(member);
      }
    }
  };
  const follow = (reference: string): void => {
    const [, group = '', name = ''] = /^#\/components\/([^/]+)\/(.+)$/.exec(reference) ?? [];
    const key = decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~');
    const found = components[group]?.[key];
    if (found === undefined || needed[group]?.[key] !== undefined) return;
    (needed[group] ??= {})[key] = found;
    visit(found);
  };
  visit(value);
  return needed;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
