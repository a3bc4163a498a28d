/**
 * Names of operations, each once in a document: clients call their methods so. A table `a_by_id`
 * has the field that the rows of a table `a` would call their operation: fields come first, and the
 * other operation has an underscore.
 */
export class OperationIds {
  private readonly taken: Set<string>;

  /** @param fields of tables and functions: no two are equal */
  constructor(fields: Iterable<string>) {
    this.taken = new Set(fields);
  }

  /** The operation of a field that has its name, or its action. */
  of(field: string, suffix: string): string {
    if (suffix === '') return field;
    let id = `${field}${suffix}`;
    for (let underscores = '_'; this.taken.has(id); underscores += '_') id = `${field}${underscores}${suffix}`;
    this.taken.add(id);
    return id;
  }
}
