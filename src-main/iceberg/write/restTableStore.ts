/** Commits changes to an Iceberg table through a REST catalog. */

import type { StorageOptions } from '../../mount/credentials.ts';
import { pathOf, RestCatalog } from '../catalog/restCatalog.ts';
import { IcebergError } from '../icebergError.ts';
import { isObject } from '../metadata/avroRecord.ts';
import { parseLocation } from '../storage/location.ts';
import { storageOptions } from '../storage/storageOptions.ts';
import { fieldJson } from './newColumns.ts';
import { preparedUpdates } from './newTable.ts';
import type { TablePlace, TableStore } from './tableStore.ts';
import { openWritableFiles, type WritableFiles } from './writableFiles.ts';

type Properties = Readonly<Record<string, unknown>>;

interface RestTableOptions extends TablePlace {
  readonly uri: string;
  readonly properties: Properties;
  readonly storage: Readonly<Record<'s3' | 'gs' | 'az', StorageOptions>>;
}

/**
 * A table of a REST catalog. The catalog checks the requirements of a commit and writes the metadata itself.
 */
export function openRestTableStore({
  uri,
  properties,
  namespace,
  table,
  storage,
}: RestTableOptions): TableStore {
  const catalog = new RestCatalog(uri, properties);
  const opened: WritableFiles[] = [];
  const tables = `namespaces/${pathOf(namespace)}/tables`;
  const filesAt = (location: string, config: Properties): WritableFiles => {
    const files = openWritableFiles({
      options: storageOptions({ ...properties, ...config }, storage),
      mayReadLocal: parseLocation(location).kind === 'local',
    });
    opened.push(files);
    return files;
  };
  const createNamespace = async (signal: AbortSignal): Promise<void> => {
    try {
      await catalog.send('namespaces', { namespace: namespace.split('.'), properties: {} }, signal);
    } catch (error) {
      // The namespace exists already.
      if (!(error instanceof IcebergError && error.kind === 'conflict')) throw error;
    }
  };
  return {
    async load(signal) {
      try {
        const { metadata, metadataLocation, config } = await catalog.loadTable(namespace, table, signal);
        if (!isObject(metadata)) return null;
        return { metadata, metadataLocation, files: filesAt(metadataLocation, config) };
      } catch (error) {
        if (error instanceof IcebergError && error.kind === 'not_found') return null;
        throw error;
      }
    },
    async prepare({ fields }, signal) {
      await createNamespace(signal);
      const answer = await catalog.send(
        tables,
        {
          name: table,
          schema: { type: 'struct', 'schema-id': 0, fields: fields.map(fieldJson) },
          'stage-create': true,
          properties: {},
        },
        signal,
      );
      const { metadata } = answer;
      if (!isObject(metadata) || typeof metadata['location'] !== 'string') {
        throw new IcebergError(
          'unavailable',
          'The REST catalog did not return the location of the new table.',
        );
      }
      const config = isObject(answer['config']) ? answer['config'] : {};
      return { metadata, metadataLocation: null, files: filesAt(metadata['location'], config) };
    },
    async commit({ metadata, metadataLocation }, { requirements, updates }, signal) {
      const isNew = metadataLocation === null;
      await catalog.send(
        `${tables}/${encodeURIComponent(table)}`,
        {
          identifier: { namespace: namespace.split('.'), name: table },
          requirements: isNew ? [{ type: 'assert-create' }] : requirements,
          updates: isNew ? [...preparedUpdates(metadata), ...updates] : updates,
        },
        signal,
        () => new IcebergError('not_found', `The catalog has no table ${namespace}.${table} any more.`),
      );
    },
    async close() {
      for (const files of opened) await files.close();
      await catalog.close();
    },
  };
}
