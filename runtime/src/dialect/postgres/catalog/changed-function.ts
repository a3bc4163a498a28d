/** The function of the triggers of the source `notify`, in the schema `public`. */
export const changedFunction = 'tablewright_changed';
