/** The command `svc artifact export`: writes a stored version of an artifact to an Iceberg table. */

import { PlaneRefusal } from '../../../dataPlane/planeRefusal.ts';
import { RegistryError } from '../../../registry/registryError.ts';
import { UsageError } from '../../arguments.ts';
import { onlyArgument, resolveVersion, storeCommand, textOption } from './storeCommand.ts';

export const artifactExport = storeCommand({
  usage: 'REF',
  options: {
    table: {
      type: 'string',
      takes: 'TABLE',
      says: 'The table: CATALOG:NAMESPACE.NAME or WAREHOUSE#NAMESPACE.NAME. It is created, or replaced if an export created it.',
    },
    alias: { type: 'string', takes: 'ALIAS', says: 'A tag of the table that names the new snapshot.' },
    by: { type: 'string', takes: 'NAME', says: 'The author recorded in the snapshot.' },
  },
  async run(on) {
    const { values, config, registry, party } = on;
    const table = textOption(values, 'table');
    if (table === undefined) throw new UsageError('name the table: --table TABLE');
    const { id, version } = resolveVersion(on, onlyArgument(on, 'artifact'));
    // Not for help and wrong usage [AR-63].
    const { warehousesOf } = await import('../../../dataPlane/planeSettings.ts');
    const { exportTable } = await import('../../../dataPlane/tableExport/exportTable.ts');
    try {
      const answer = await exportTable(
        {
          ref: { id, version },
          table,
          alias: textOption(values, 'alias') ?? null,
          promotedBy: textOption(values, 'by') ?? null,
        },
        { registry, party, warehouses: warehousesOf(config), signal: new AbortController().signal },
      );
      const verb = answer.created ? 'created' : 'replaced';
      return { answer, human: `${table} ${verb}, snapshot ${answer.snapshot_id}` };
    } catch (error) {
      if (error instanceof PlaneRefusal) throw new RegistryError('invalid', error.message);
      throw error;
    }
  },
});
