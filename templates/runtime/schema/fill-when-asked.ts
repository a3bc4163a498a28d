/** The types that nobody has asked for their fields yet. */
const waiting = new WeakSet<object>();

/**
 * Has a type's further fields made when somebody first asks for its fields: of the 27,000 types of a thousand tables most never are.
 * Calls `fill` once, with the fields that it has.
 */
export function fillWhenAsked<Fields>(type: { getFields(): Fields }, fill: (fields: Fields) => void): void {
  const fields = type.getFields();
  waiting.add(type);
  type.getFields = () => {
    if (waiting.has(type)) {
      fill(fields);
      waiting.delete(type);
    }
    return fields;
  };
}

/** Whether a type has fields that are not made yet; asking it for them makes them. */
export const isWaiting = (type: object): boolean => waiting.has(type);
