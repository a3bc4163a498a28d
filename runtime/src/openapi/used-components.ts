import type { Json, JsonObject } from './json.js';

/**
 * The components that paths refer to, directly or not, in their order: linters object to others.
 */
export function usedComponents(components: JsonObject, paths: JsonObject): JsonObject {
  const used = new Set<string>();
  const wanted: Json[] = [paths];
  for (let at = wanted.pop(); at !== undefined; at = wanted.pop()) {
    if (typeof at !== 'object' || at === null) continue;
    for (const [key, item] of Object.entries(at as JsonObject)) {
      if (key !== '$ref' || typeof item !== 'string') wanted.push(item);
      else if (!used.has(item)) {
        used.add(item);
        wanted.push(componentAt(components, item));
      }
    }
  }
  return Object.fromEntries(
    Object.entries(components).map(([kind, all]) => [
      kind,
      Object.fromEntries(Object.entries(all as JsonObject).filter(([key]) => used.has(`${prefix}${kind}/${key}`))),
    ]),
  );
}

const prefix = '#/components/';

/**
 * Keys of components have no slash, tilde or percent sign, so a reference contains them unchanged.
 */
function componentAt(components: JsonObject, name: string): Json {
  const [kind = '', key = ''] = name.slice(prefix.length).split('/');
  return (components[kind] as JsonObject | undefined)?.[key] ?? null;
}
