/** Dialog that shows the whole log of a cell's last run, as the server stored it; it can be searched and downloaded. */

import { useEffect, useMemo, useState } from 'react';
import { RestError, routeUrl, streamRoute } from '../../live/rest.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { saveFrom } from '../../ui/saveFrom.ts';
import { CONSOLE_WORDS } from '../../words/console.ts';
import { bytesText, countText } from '../../words/strings.ts';
import { ConsoleLines } from './ConsoleLines.tsx';
import { ConsoleLog } from './consoleLog.ts';
import { FindBar, useFind } from './FindBar.tsx';

/** The most lines shown of one log: the newest ones. The download has all. */
const MAX_LINES = 1_000_000;

/** Identifies a log: one stream of a cell's last run. */
interface LogPlace {
  readonly sessionId: string;
  readonly cellId: string;
  readonly stream: 'stdout' | 'stderr';
}

/** The whole log as the server stored it, read as a stream. It can be searched and downloaded. */
export function LogDialog({ place, onClose }: { place: LogPlace; onClose: () => void }) {
  const { log, bytes, done, problem, version } = useWholeLog(place);
  const find = useFind(log, version);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the search is opened once, with the dialog
  useEffect(() => find.show(), []);
  const { sessionId, cellId, stream } = place;
  const size = bytesText(bytes);
  return (
    <Dialog
      open
      onClose={onClose}
      size="l"
      title={`${CONSOLE_WORDS.logTitle(cellId)}: ${CONSOLE_WORDS.logStream[stream]}`}
      footer={
        <Button
          onClick={() =>
            saveFrom(
              routeUrl('cellLog', { params: { sid: sessionId, cell_id: cellId }, query: { stream } }),
              `${cellId}.${stream}.log`,
            )
          }
        >
          {CONSOLE_WORDS.logDownload}
        </Button>
      }
    >
      <div className="log-full">
        <div className="log-size" role="status">
          {problem ??
            (done
              ? log.count === 0
                ? CONSOLE_WORDS.logEmpty
                : CONSOLE_WORDS.logSize(countText(log.count + log.trimmed), size)
              : CONSOLE_WORDS.logLoading(size))}
        </div>
        <FindBar find={{ ...find, hide: onClose }} />
        <ConsoleLines
          log={log}
          version={version}
          label={CONSOLE_WORDS.logStream[stream]}
          stream="log"
          wrap={false}
          needle={find.needle}
          request={find.request}
        />
      </div>
    </Dialog>
  );
}

function useWholeLog({ sessionId, cellId, stream }: LogPlace) {
  const log = useMemo(() => new ConsoleLog({ maxLines: MAX_LINES }), []);
  const [state, setState] = useState<{
    bytes: number;
    done: boolean;
    problem: string | null;
    version: number;
  }>({ bytes: 0, done: false, problem: null, version: 0 });
  useEffect(() => {
    const stop = new AbortController();
    const read = async (): Promise<void> => {
      const call = { params: { sid: sessionId, cell_id: cellId }, query: { stream } };
      const body = await streamRoute('cellLog', call, { signal: stop.signal });
      const reader = body.getReader();
      const decoder = new TextDecoder();
      let bytes = 0;
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        bytes += next.value.length;
        log.feed(decoder.decode(next.value, { stream: true }));
        setState((now) => ({ ...now, bytes, version: now.version + 1 }));
        // The page draws a frame between pieces, so that a large log does not block it.
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      log.feed(decoder.decode());
      setState((now) => ({ ...now, done: true, version: now.version + 1 }));
    };
    read().catch((error: unknown) => {
      if (stop.signal.aborted) return;
      if (!(error instanceof RestError)) console.error('loading a log was interrupted', error);
      const problem =
        error instanceof RestError && error.status !== 404 ? error.message : CONSOLE_WORDS.logNone;
      setState((now) => ({ ...now, done: true, problem }));
    });
    return () => stop.abort();
  }, [log, sessionId, cellId, stream]);
  return { log, ...state };
}
