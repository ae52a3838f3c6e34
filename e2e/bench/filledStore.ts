/** Fills an artifact store with many versions and a lineage, for the benchmark rows of the store. */

import { openRegistryDatabase } from '../../src-main/registry/registrySchema.ts';

/** The provenance of one of the versions, for lookups. */
export const A_PROVENANCE = provenanceOf(50_000);
/** The version whose lineage is measured, and the number of nodes of that lineage. */
export const LINEAGE = { id: 'node-999', nodes: 1_000 } as const;
const WIDTH = 10;

function provenanceOf(at: number): string {
  return at.toString(16).padStart(64, '0');
}

/** Fills a store with versions without files, of which every tenth has a name, and one lineage of 1,000 nodes. */
export async function fillStore(dir: string, count: number): Promise<void> {
  const database = await openRegistryDatabase(dir);
  const insert = database.prepare(
    `INSERT INTO artifact_versions (id, version, state, provenance_hash, row_count, byte_size, created_at, input_versions,
       content_sha256, last_used_at, minted, content_type)
     VALUES (?, 1, 'ready', ?, 10, 1000, ?, '{}', ?, ?, 1, 'arrow/ipc')`,
  );
  const name = database.prepare("INSERT INTO artifact_names VALUES ('', ?, ?, 1, 1)");
  const input = database.prepare('INSERT INTO artifact_inputs VALUES (?, 1, ?, ?, ?, 1)');
  database.transaction(() => {
    for (let at = 0; at < count; at += 1) {
      const id = at < LINEAGE.nodes ? `node-${at}` : `artifact-${at}`;
      insert.run(id, provenanceOf(at), at, provenanceOf(at), at);
      if (at % 10 === 0) name.run(`team/result-${at}`, id);
      // In layers of ten, each version has two of the layer before as inputs, and the last one has all of its layer.
      if (at < WIDTH || at >= LINEAGE.nodes) continue;
      const layer = at - (at % WIDTH) - WIDTH;
      const all = at === LINEAGE.nodes - 1;
      const inputs = all ? Array.from({ length: WIDTH }, (_, n) => n) : [at % WIDTH, (at + 1) % WIDTH];
      for (const n of inputs) {
        input.run(id, `svc://artifact/node-${layer + n}@v=1`, `node-${layer + n}@v=1`, `node-${layer + n}`);
      }
    }
  })();
  database.close();
}
