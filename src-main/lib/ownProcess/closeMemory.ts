import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { oneCallLibrary } from './oneCallLibrary.ts';

/**
 * Hides this process's memory and initial environment, which contain secrets, from the user's other programs, and
 * disables core dumps: `prctl(PR_SET_DUMPABLE, 0)`, for which Node has no function. The effect ends when a child runs
 * another program. Linux on x64 and arm64.
 * @returns why it failed, or null
 */
export function closeMemory(): string | null {
  if (process.platform !== 'linux') return `${process.platform} has no such call`;
  const library = oneCallLibrary(process.arch);
  if (library === null) return `there is no such call for ${process.arch}`;
  let dir: string | null = null;
  try {
    dir = mkdtempSync(join(tmpdir(), 'svc-memory-'));
    const file = join(dir, 'close.node');
    writeFileSync(file, library, { mode: 0o500 });
    // Loading the library calls the function; Node then throws because it is not a Node module, as expected.
    process.dlopen({ exports: {} }, file);
    return null;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return why.includes('did not self-register') ? unlessOpen() : why;
  } finally {
    if (dir !== null) rmSync(dir, { recursive: true, force: true });
  }
}

/**
 * The /proc files of a process that is not dumpable belong to root; for root's own processes this cannot be
 * checked.
 */
function unlessOpen(): string | null {
  const own = process.getuid?.() ?? 0;
  return own !== 0 && statSync('/proc/self/environ').uid === own ? 'the call had no effect' : null;
}
