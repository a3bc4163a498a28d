/** A function that calls `make` once for each object. A result is kept as long as its object. */
export function onceForEach<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const made = new WeakMap<K, { readonly value: V }>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known.value;
    const value = make(key);
    made.set(key, { value });
    return value;
  };
}

/** A number for each object, as a part of a cache's keys: equal for the same object alone. */
export function numberForEach(): (key: object) => number {
  let last = 0;
  return onceForEach(() => (last += 1));
}
