/** Menu that saves all rows of a table's current view as a file (CSV, Parquet and so on). */

import { useEffect, useRef, useState } from 'react';
import { RestError, streamRoute } from '../../live/rest.ts';
import { Button } from '../../ui/Button.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { toast } from '../../ui/Toast.tsx';
import { bytesText } from '../../words/strings.ts';
import { TABLE_WORDS } from '../../words/table.ts';
import { collectStream } from '../collectStream.ts';
import { saveBlob } from '../saveBlob.ts';
import type { TableQuery } from './tableQuery.ts';
import { queryParams } from './tableQuery.ts';
import type { TableSource } from './useTablePage.ts';

const FORMATS = {
  csv: { label: TABLE_WORDS.exportCsv, type: 'text/csv' },
  parquet: { label: TABLE_WORDS.exportParquet, type: 'application/vnd.apache.parquet' },
} as const;
type Format = keyof typeof FORMATS;
/** The interval at which the shown number of received bytes is updated, in ms. */
const TELL_MS = 100;

/** Saves all rows of a table's current view, in its order; shows the progress and can be cancelled. */
export function ExportMenu({ source, query }: { source: TableSource; query: TableQuery }) {
  const [bytes, setBytes] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const save = async (format: Format): Promise<void> => {
    const stop = new AbortController();
    running.current = stop;
    setBytes(0);
    try {
      const { name, blob } = await exportTable({ source, query, format }, stop.signal, setBytes);
      saveBlob(blob, name);
      toast(TABLE_WORDS.exportDone(name, bytesText(blob.size)));
    } catch (error) {
      // Cancelled by the person, or the table was removed from the page.
      if (stop.signal.aborted) return;
      toast(error instanceof RestError ? error.message : TABLE_WORDS.exportBroken, { tone: 'error' });
      if (!(error instanceof RestError)) console.error('an export was interrupted', error);
    } finally {
      running.current = null;
      if (!stop.signal.aborted) setBytes(null);
    }
  };
  if (bytes !== null) {
    return (
      <span className="export-running">
        <span role="status">{TABLE_WORDS.exportRunning(bytesText(bytes))}</span>
        <Button
          title={TABLE_WORDS.exportCancel}
          onClick={() => {
            running.current?.abort();
            setBytes(null);
          }}
        >
          {TABLE_WORDS.exportStop}
        </Button>
      </span>
    );
  }
  const item = (format: Format) => ({
    kind: 'item' as const,
    label: FORMATS[format].label,
    onSelect: () => void save(format),
  });
  return (
    <Menu
      label={TABLE_WORDS.export}
      align="end"
      items={[item('csv'), item('parquet')]}
      trigger={<Button>{TABLE_WORDS.export}</Button>}
    />
  );
}

async function exportTable(
  what: { source: TableSource; query: TableQuery; format: Format },
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<{ name: string; blob: Blob }> {
  const { sessionId, cellId, output, saveAs = cellId } = what.source;
  const stream = await streamRoute(
    'cellExport',
    {
      params: { sid: sessionId, cell_id: cellId },
      query: { artifact_uri: output.artifact_uri ?? '', fmt: what.format, ...queryParams(what.query) },
    },
    { signal },
  );
  let reported = 0;
  const blob = await collectStream(stream, FORMATS[what.format].type, (bytes) => {
    const now = performance.now();
    if (now - reported < TELL_MS) return;
    reported = now;
    onBytes(bytes);
  });
  return { name: `${saveAs}.${what.format}`, blob };
}
