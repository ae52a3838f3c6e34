import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { oneCallLibrary } from './oneCallLibrary.ts';

/**
 * Closes this process's memory and start environment to the other programs of its user, and makes it write no core
 * dump: `prctl(PR_SET_DUMPABLE, 0)`, which Node has no call for. Its effect ends where a child runs another program.
 * Linux on x64 and arm64.
 * @returns why it could not be done, or null
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
    // Loading calls the function; Node then says that this is no module of its own, which is true.
    process.dlopen({ exports: {} }, file);
    return null;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return why.includes('did not self-register') ? unlessOpen() : why;
  } finally {
    if (dir !== null) rmSync(dir, { recursive: true, force: true });
  }
}

/** What belongs to a process that is not dumpable belongs to root in /proc; of root's own, this cannot be seen. */
function unlessOpen(): string | null {
  const own = process.getuid?.() ?? 0;
  return own !== 0 && statSync('/proc/self/environ').uid === own ? 'the call had no effect' : null;
}
