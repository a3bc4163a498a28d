/**
 * Makes a value again whenever `state` changes: for cached statements that are compiled before the
 * database server is known.
 */
export function reconsidered<T extends object, S>(state: () => S, make: (state: S) => T): T {
  let made: { readonly of: S; readonly value: T } | undefined;
  const current = (): T => {
    const of = state();
    if (made?.of !== of) made = { of, value: make(of) };
    return made.value;
  };
  return new Proxy<object>(
    {},
    {
      get: (_, name) => Reflect.get(current(), name) as unknown,
      has: (_, name) => Reflect.has(current(), name),
      ownKeys: () => Reflect.ownKeys(current()),
      getOwnPropertyDescriptor: (_, name) => Reflect.getOwnPropertyDescriptor(current(), name),
    },
  ) as T;
}
