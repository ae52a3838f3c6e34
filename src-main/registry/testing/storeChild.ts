import { writeSync } from 'node:fs';
import { openRegistry } from '../registry.ts';
import type { VersionRow } from '../versionRow.ts';

/**
 * A process for the crash tests: `storeChild.ts <store> <first round> <rounds>`. Each round puts, stages,
 * imports, names publishes and collects versions, and prints `kept <id> <version> <value>` for each version
 * once it must exist, or `published …` with the token of its page. SVC_TEST_KILL_AT ends it.
 */
const [dir = '', first = '0', count = '1'] = process.argv.slice(2);
const ANYBODY = { tenant: '', principal: null, isAdmin: true };
const registry = await openRegistry({ dir, protectedAliases: [], zombieSeconds: 0 });

/** A name protects it from the collection. */
function keep(row: VersionRow, value: string): void {
  registry.names.set(`kept/${value}`, row, ANYBODY);
  writeSync(1, `kept ${row.id} ${row.version} ${value}\n`);
}

for (let round = Number(first); round < Number(first) + Number(count); round += 1) {
  const putValue = async (value: string) => {
    const blob = await registry.receiveJson([value]);
    const spec = { executor: 'test@v1', inputs: [], params: { value } };
    return (await registry.put({ spec, blob }, ANYBODY)).row;
  };
  keep(await putValue(`put-${round}`), `put-${round}`);
  // Nothing protects this one.
  await putValue(`loose-${round}`);
  const value = `import-${round}`;
  const staged = await registry.receiveJson([value]);
  registry.stageImport(staged, ANYBODY);
  const { row } = await registry.importVersion(
    {
      id: 'imported',
      version: round + 1,
      createdAt: 1,
      state: 'ready',
      remap: false,
      blob: null,
      schemaJson: null,
      rowCount: 1,
      byteSize: null,
      principal: null,
      contentType: null,
      transformSpec: null,
      inputVersions: {},
      contentSha256: staged.sha256,
      provenanceHash: Buffer.from(value).toString('hex').padEnd(64, '0'),
    },
    ANYBODY,
  );
  keep(row, value);
  const now = Date.now() / 1000 + 3_600;
  // Only its publication protects this one.
  const published = await putValue(`published-${round}`);
  const credits = { title: `published-${round}`, authors: [], externalIds: [] };
  const { token } = registry.publications.publish(published, credits, ANYBODY);
  writeSync(1, `published ${published.id} ${published.version} published-${round} ${token}\n`);
  const limits = { maxIdleDays: 0, maxBytes: null, minIdleSeconds: 0, collectLatest: true, now };
  await registry.collect(limits, false);
}
registry.close();
