/** The name shown at a cell whose file another program just changed. */

/**
 * The author shown at a cell whose file was just changed externally: an edit that has not seen the change
 * must be confirmed.
 */
export const ANOTHER_PROGRAM = 'Another program';
