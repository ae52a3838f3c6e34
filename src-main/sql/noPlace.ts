/** A value the database has and Arrow has not; the message goes on from "The column x holds". */
export class NoPlace extends Error {}
