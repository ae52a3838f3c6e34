/** The wire form of the locked Python or R environment of a cell that is sent to a worker. */

import * as z from 'zod';

/** SHA-256 hex: for Python of the packages of the lock, for R of the bytes of `renv.lock`. */
const key = z.string().regex(/^[0-9a-f]{64}$/);

/**
 * The locked environment of a Python cell (docs/spec/worker-protocol.md, 8); sent only to a worker
 * whose health answer says that it can build it.
 */
export const pythonEnvironmentBlock = z.object({
  key,
  /** May be empty: any version. */
  python: z.string(),
  lockfile: z.string(),
  pyproject: z.string(),
});

/**
 * For an R cell: only the lock and the digest of its bytes (docs/spec/worker-protocol.md, 8;
 * docs/spec/worker-process.md, 6; docs/spec/remote-execution.md, 4).
 */
export const rEnvironmentBlock = z.object({ key, lockfile: z.string() });

export type PythonEnvironmentBlock = z.infer<typeof pythonEnvironmentBlock>;
