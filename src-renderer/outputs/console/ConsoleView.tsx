/** One stream (stdout or stderr) of a cell's console with its tools. */

import { useState } from 'react';
import type { ConsoleText } from '../../state/consoleText.ts';
import { CONSOLE_WORDS } from '../../words/console.ts';
import { WORDS } from '../../words/strings.ts';
import { ConsoleLines } from './ConsoleLines.tsx';
import { ConsoleTools } from './ConsoleTools.tsx';
import { FindBar, useFind } from './FindBar.tsx';
import { LogDialog } from './LogDialog.tsx';
import { useConsoleLog } from './useConsoleLog.ts';
import { useWrap } from './wrapChoice.ts';

/** One stream of a cell's console with its tools, which appear on hover and on focus. */
export function ConsoleView(props: {
  console: ConsoleText;
  stream: 'stdout' | 'stderr';
  /** The session and the cell, if the server stores the whole log of the console. */
  logOf?: { readonly sessionId: string; readonly cellId: string };
}) {
  const { console, stream, logOf } = props;
  const [logOpen, setLogOpen] = useState(false);
  const { log, version } = useConsoleLog(console);
  const [wrap, setWrap] = useWrap();
  const [touched, setTouched] = useState(false);
  const find = useFind(log, version);
  if (console.total === 0) return null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its tools are reached by keyboard after the text
    <div
      className={`console console-${stream}`}
      onPointerEnter={() => setTouched(true)}
      onFocus={() => setTouched(true)}
    >
      {stream === 'stderr' ? <div className="console-tag">{CONSOLE_WORDS.stderrTag}</div> : null}
      {find.open ? <FindBar find={find} /> : null}
      <ConsoleLines
        log={log}
        version={version}
        label={stream === 'stderr' ? WORDS.stderr : WORDS.stdout}
        stream={stream}
        wrap={wrap}
        needle={find.open ? find.needle : ''}
        request={find.open ? find.request : null}
      />
      {touched ? (
        <ConsoleTools
          log={log}
          wrap={wrap}
          onWrap={() => setWrap(!wrap)}
          onFind={() => find.show()}
          {...(logOf === undefined ? {} : { onOpenLog: () => setLogOpen(true) })}
        />
      ) : null}
      {logOpen && logOf !== undefined ? (
        <LogDialog place={{ ...logOf, stream }} onClose={() => setLogOpen(false)} />
      ) : null}
    </div>
  );
}
