/**
 * The commands `svc artifact verify`, which checks every stored blob, and `svc artifact gc`, which deletes unused
 * versions.
 */

import { versionText } from '../../../registry/versionRow.ts';
import { bytesText, noArgument, numberOption, storeCommand } from './storeCommand.ts';

export const artifactVerify = storeCommand({
  usage: '',
  async run(on) {
    noArgument(on);
    const { versions, bytes, problems } = await on.registry.verify();
    const lines = problems.map(({ kind, message }) => `${kind}: ${message}`);
    const total = `${versions} versions, ${bytesText(bytes)}; ${problems.length} problems`;
    return {
      answer: { versions, bytes, problems },
      human: [...lines, total].join('\n'),
      code: problems.length === 0 ? 0 : 1,
    };
  },
});

export const artifactGc = storeCommand({
  usage: '',
  options: {
    'max-bytes': { type: 'string', takes: 'N', says: 'Delete down to 80 % of this many bytes.' },
    'max-idle-days': {
      type: 'string',
      takes: 'DAYS',
      says: 'Delete versions that were not used for this long.',
    },
    'min-idle-seconds': {
      type: 'string',
      takes: 'S',
      says: 'Keep versions that were used within this time.',
    },
    'collect-latest': { type: 'boolean', default: false, says: 'Also delete the newest version of an ID.' },
    'dry-run': { type: 'boolean', default: false, says: 'Only show what would be deleted.' },
  },
  async run(on) {
    noArgument(on);
    const { registry, config, values } = on;
    const dryRun = values['dry-run'] === true;
    const { versions, deletedBytes, storeBytes } = await registry.collect(
      {
        maxIdleDays: numberOption(values, 'max-idle-days', 0) ?? null,
        maxBytes: numberOption(values, 'max-bytes', 0) ?? null,
        minIdleSeconds: numberOption(values, 'min-idle-seconds', 0) ?? config.artifactGcMinIdleSeconds,
        collectLatest: values['collect-latest'] === true,
        now: Date.now() / 1000,
      },
      dryRun,
    );
    const answer = {
      deleted_count: versions.length,
      deleted_bytes: deletedBytes,
      store_bytes: storeBytes,
      dry_run: dryRun,
      ...(dryRun
        ? { collected: versions.map((one) => ({ artifact_id: one.id, version: one.version })) }
        : {}),
    };
    const lines = dryRun ? versions.map((one) => versionText(one)) : [];
    const verb = dryRun ? 'would be deleted' : 'deleted';
    return {
      answer,
      human: [...lines, `${versions.length} versions, ${bytesText(deletedBytes)} ${verb}`].join('\n'),
    };
  },
});
