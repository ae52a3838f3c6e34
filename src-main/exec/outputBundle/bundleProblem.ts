/**
 * The error for an output bundle (the results of a run on a worker, as a tar) that cannot be written or read; the
 * message is for the user who ran the cell.
 */
export class BundleProblem extends Error {
  override readonly name = 'BundleProblem';
}

/** manifest.json has previews, not values, so a larger one is treated as hostile. */
export const MAX_INDEX_BYTES = 64 * 1024 * 1024;

/**
 * The size limit of a bundle, as a multiple of the limit for one member: by default 16 GiB, the limit of a snapshot.
 */
export const MAX_LONGEST_MEMBERS = 8;

/** More results than a cell has; a tar of a few megabytes could have far more empty members. */
export const MAX_MEMBERS = 20_000;

/** How much of each stream of the console is passed on as text; the whole stream is in a file. */
export const MAX_END_BYTES = 1024 * 1024;
