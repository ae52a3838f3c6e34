import { useMemo } from 'react';
import { WORDS } from '../words/strings.ts';
import { ConsoleLines } from './console/ConsoleLines.tsx';
import { ConsoleLog } from './console/consoleLog.ts';

/** Shows a text output of many lines, of which only the visible ones are in the page. */
export function LongText({ text }: { text: string }) {
  const log = useMemo(() => {
    const fullLog = new ConsoleLog({ maxLines: Number.MAX_SAFE_INTEGER });
    fullLog.feed(text);
    return fullLog;
  }, [text]);
  return (
    <div className="output-long">
      <ConsoleLines
        log={log}
        version={0}
        label={WORDS.stdout}
        stream="text"
        wrap={false}
        needle=""
        request={null}
        fromEnd={false}
      />
    </div>
  );
}
