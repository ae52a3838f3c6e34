/** An entry of a list of packages, before it is parsed. */

export interface SkippedEntry {
  /** As written in the file. */
  readonly text: string;
  /** The reason, for users. */
  readonly why: string;
}

/** A line to parse as a requirement, or an entry that is already left out. */
export type Entry = string | SkippedEntry;
