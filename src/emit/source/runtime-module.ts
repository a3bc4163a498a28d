/** The only entry of the runtime that generated files import. */
export const runtimeModule = '@tablewright/runtime/schema';

/**
 * The name of that import in generated files. The import of a namespace is one line that does not
 * change when a column of another type is added.
 */
export const runtimeName = 'tw';
