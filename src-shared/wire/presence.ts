/** Who holds a cell whose file somebody else has just written: an edit that has not seen it is asked about. */
export const ANOTHER_PROGRAM = 'Another program';
