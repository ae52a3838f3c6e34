/** A bundle that cannot be written or read, in words for whoever ran the cell. */
export class BundleProblem extends Error {
  override readonly name = 'BundleProblem';
}

/** manifest.json holds previews, not values; what is larger was written by nobody who means well. */
export const MAX_INDEX_BYTES = 64 * 1024 * 1024;

/** A bundle is at most as long as so many members of the longest kind: by default 16 GiB, what a snapshot may be. */
export const MAX_LONGEST_MEMBERS = 8;

/** A cell has not so many results; a tar may have that many empty members in a few megabytes. */
export const MAX_MEMBERS = 20_000;

/** Of each stream of the console, what is handed on as text; the whole is a file. */
export const MAX_END_BYTES = 1024 * 1024;
