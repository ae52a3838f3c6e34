/** The durations of a cell's latest runs as bars, in the inspector, with the resources that the last one used. */

import type { RunSample } from '../../../src-shared/wire/runSample.ts';
import { INSPECTOR_WORDS as W } from '../../words/inspector.ts';
import { bytesText, durationText } from '../../words/strings.ts';
import { barsOf } from './runBars.ts';

const HEIGHT = 28;
const BAR = 6;
const GAP = 2;

/** The durations of the latest runs as bars, and the resources that the last computed run used. */
export function CellRuns({ runs }: { readonly runs: readonly RunSample[] }) {
  const bars = barsOf(runs);
  const last = runs.findLast((run) => !run.cache_hit);
  if (last === undefined || bars.length === 0) return null;
  return (
    <section className="panel-section">
      <h3>{W.runs}</h3>
      {bars.length < 2 ? null : (
        <svg
          className="run-bars"
          width={bars.length * (BAR + GAP)}
          height={HEIGHT}
          role="img"
          aria-label={W.runBars(bars.map(({ durationMs }) => durationText(durationMs)))}
        >
          {bars.map(({ durationMs, share, cached, key }, at) => (
            <rect
              key={key}
              className={cached ? 'run-bar run-bar-cached' : 'run-bar'}
              x={at * (BAR + GAP)}
              y={HEIGHT - Math.max(2, share * HEIGHT)}
              width={BAR}
              height={Math.max(2, share * HEIGHT)}
              rx={1}
            >
              <title>{cached ? W.runCached(durationText(durationMs)) : durationText(durationMs)}</title>
            </rect>
          ))}
        </svg>
      )}
      <dl className="facts">
        <dt>{W.lastComputed}</dt>
        <dd>{durationText(last.duration_ms)}</dd>
        {last.cpu_ms === undefined ? null : (
          <>
            <dt>{W.cpuTime}</dt>
            <dd>{durationText(last.cpu_ms)}</dd>
          </>
        )}
        {last.peak_bytes === undefined ? null : (
          <>
            <dt>{W.peakMemory}</dt>
            <dd title={W.peakMemoryHelp}>{bytesText(last.peak_bytes)}</dd>
          </>
        )}
        {last.gpu_peak_bytes === undefined ? null : (
          <>
            <dt>{W.gpuMemory}</dt>
            <dd title={W.gpuMemoryHelp}>{bytesText(last.gpu_peak_bytes)}</dd>
          </>
        )}
      </dl>
    </section>
  );
}
