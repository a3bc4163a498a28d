/** Whether a value is an object, perhaps a list: not null. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Whether a value is an object with members: neither null nor a list. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && !Array.isArray(value);
