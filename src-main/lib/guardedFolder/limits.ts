/**
 * Read limits for files below a guarded folder, by kind: far larger than any real file, and small enough that
 * an untrusted folder cannot exhaust the memory of the program that opens it.
 */
const MIB = 1024 * 1024;

export const READ_LIMITS = {
  /** One record of JSON. */
  record: 64 * MIB,
  /** The results of all runs of a notebook, in one file. */
  state: 256 * MIB,
  /** An append-only file of lines. */
  history: 64 * MIB,
  /** Files that a user or a package manager wrote: settings, a project, a lock. */
  text: 64 * MIB,
  /** A lock that names a process. */
  lock: 64 * 1024,
} as const;
