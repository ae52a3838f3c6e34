import { writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { NewArtifact } from '../artifact.ts';
import { openStore } from '../store.ts';
import { newItem, sha256 } from './testItems.ts';

/**
 * A process for the crash and two-process tests: `publishChild.ts <store> <scratch> <name> <first> <count>`.
 * Publishes rounds of several artifacts and prints `done <round>` once each is stored; SVC_TEST_KILL_AT ends
 * it.
 */
const [dir = '', scratch = '', name = '', first = '0', count = '1'] = process.argv.slice(2);

/**
 * The content that round `round` publishes under `id`: recognisable, of very different sizes, one shared by
 * two ids.
 */
function contentOf(id: string, round: number): string {
  return id === 'big' ? `${round} `.repeat(40_000) : `${id === 'twin' ? 'small' : id} ${round}`;
}

function fileItem(id: string, text: string): NewArtifact {
  const file = join(scratch, `${name}-${id}`);
  writeFileSync(file, text);
  return newItem(id, { file, sha256: sha256(text) });
}

const store = await openStore(dir);
for (let round = Number(first); round < Number(first) + Number(count); round += 1) {
  const rows = await store.publish([
    newItem('small', contentOf('small', round), { params: { round: String(round), from: name } }),
    newItem('twin', contentOf('twin', round), { params: { round: String(round), from: name } }),
    { ...fileItem('big', contentOf('big', round)), params: { round: String(round), from: name } },
    newItem(`own-${name}`, contentOf('own', round), { params: { round: String(round), from: name } }),
  ]);
  writeSync(1, `done ${round} ${rows[0]?.version}\n`);
}
await store.close();
