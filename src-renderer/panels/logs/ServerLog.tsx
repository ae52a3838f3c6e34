/** Shows the server's log lines about this notebook, in the Logs panel. */

import { RotateCw } from 'lucide-react';
import type { LogLine } from '../../../src-shared/wire/routes/extensions.ts';
import { useAnswer } from '../../live/useAnswer.ts';
import { useView } from '../../notebook/context.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { LOGS_WORDS } from '../../words/logs.ts';

/** The server's log lines about this notebook, oldest first. */
export function ServerLog() {
  const sessionId = useView((view) => view.sessionId);
  const live = useView((view) => view.link.kind === 'live');
  const { value, problem, again } = useAnswer('serverLog', live ? { params: { sid: sessionId } } : null, {
    subject: sessionId,
    key: '',
  });
  return (
    <section className="panel-section">
      <div className="logs-head">
        <h3>{LOGS_WORDS.server}</h3>
        <Button icon={<RotateCw aria-hidden="true" />} onClick={again} disabled={!live}>
          {LOGS_WORDS.again}
        </Button>
      </div>
      {problem === null ? null : <Notice tone="error">{problem}</Notice>}
      {value === null && problem === null ? <Spinner /> : null}
      {value !== null && value.lines.length === 0 ? <p className="panel-quiet">{LOGS_WORDS.quiet}</p> : null}
      <ol className="log-lines" data-server-log>
        {(value?.lines ?? []).map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
          <Line key={at} line={line} />
        ))}
      </ol>
    </section>
  );
}

function Line({ line }: { line: LogLine }) {
  return (
    <li className={`log-line log-${line.level}`}>
      <time dateTime={line.at}>{new Date(line.at).toLocaleTimeString('en-GB')}</time>
      <span className="log-level">{line.level}</span>
      <span className="log-words">
        {line.message}
        {line.detail === null ? null : <span className="log-detail"> {line.detail}</span>}
      </span>
    </li>
  );
}
