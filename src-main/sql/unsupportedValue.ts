/** A value that Arrow cannot represent; the message continues "The column x holds". */
export class UnsupportedValue extends Error {}
