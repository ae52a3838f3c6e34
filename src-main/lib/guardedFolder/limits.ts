/**
 * The most that is read of a file below a guarded folder, by what it is: far more than any real one, and little enough
 * that a folder from elsewhere cannot take the memory of the program that opens it.
 */
const MIB = 1024 * 1024;

export const READ_LIMITS = {
  /** One record of JSON. */
  record: 64 * MIB,
  /** What all runs of a notebook left, in one file. */
  state: 256 * MIB,
  /** A file of lines that is only ever added to. */
  history: 64 * MIB,
  /** What a person or a package manager wrote: settings, a project, a lock. */
  text: 64 * MIB,
  /** A lock that names a process. */
  lock: 64 * 1024,
} as const;
