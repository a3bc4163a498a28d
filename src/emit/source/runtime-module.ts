/** The package that generated files are written against: everything they name of it comes from this entry. */
export const runtimeModule = '@tablewright/runtime/schema';

/** What they call it. As a namespace it is one line, which stays as it is when a column of another type is added. */
export const runtimeName = 'tw';
