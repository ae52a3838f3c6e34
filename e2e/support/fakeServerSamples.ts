/** Sample notebooks for fake servers, and the sample table of bike trips that they show. */

import type { Cell } from '../../src-shared/wire/cell.ts';
import type { NotebookBody } from '../../src-shared/wire/notebookState.ts';
import { fakeBody, fakeCell, fakeOutput } from './fakeServerNotebook.ts';

const annotations = fakeCell({ id: 'x' }).annotations;
const URI = 'svc://artifact/nb_trips@v=3';

export const TRIP_COLUMNS = ['started_at', 'station', 'minutes', 'km', 'member'];

/** Row `index` of the sample table. */
export function tripRow(index: number): readonly unknown[] {
  const stations = ['Part-Dieu', 'Bellecour', 'Charpennes', 'Gerland', 'Vaise'];
  const minute = String(index % 60).padStart(2, '0');
  const km = Math.round(((index * 37) % 610) + 4) / 10;
  return [
    `2025-01-01 ${String(Math.floor(index / 60) % 24).padStart(2, '0')}:${minute}`,
    stations[index % stations.length],
    Math.round(((index * 53) % 3_100) + 4) / 10,
    km,
    index % 3 !== 0,
  ];
}

export function tripRows(count: number): readonly (readonly unknown[])[] {
  return Array.from({ length: count }, (_none, index) => tripRow(index));
}

/** A notebook with every status, chip and kind of output once. */
export function sampleNotebook(): NotebookBody {
  const cells: Cell[] = [
    fakeCell({
      id: 'intro',
      language: 'markdown',
      status: 'ready',
      source:
        '# Bike trips, 2025\nHow weather moves a year of rides. Trips come from the city’s open data; weather from the station at Bron.',
    }),
    fakeCell({
      id: 'trips',
      source:
        'import pandas as pd\n\ntrips = pd.read_parquet(data / "trips.parquet")\ntrips[trips.started_at >= "2025-01-01"]',
      status: 'ready',
      defines: ['trips'],
      cache_hit: true,
      execution_method: 'cached',
      last_duration_ms: 840,
      artifact_uris: { trips: URI },
      display_outputs: [
        fakeOutput({
          content_type: 'arrow/ipc',
          rows: 1_204_331,
          columns: TRIP_COLUMNS,
          bytes: 48_000_000,
          artifact_uri: URI,
          preview: tripRows(20),
        }),
      ],
    }),
    fakeCell({
      id: 'daily',
      source:
        '# @name daily\nimport matplotlib.pyplot as plt\n\ndaily = trips.groupby(trips.started_at.dt.date).agg(rides=("km", "size"), km=("km", "sum"))\ndaily.km.rolling(7).mean().plot()',
      status: 'stale',
      defines: ['daily'],
      upstream_ids: ['trips'],
      annotations: { ...annotations, name: 'daily' },
      staleness_reasons: ['upstream'],
      last_duration_ms: 2_100,
      causality: {
        reason: 'upstream',
        details: [{ type: 'input_changed', cell_id: 'trips', cell_name: 'trips' }],
      },
      display_outputs: [
        fakeOutput({
          content_type: 'image/svg+xml',
          bytes: 400,
          preview:
            '<svg width="100%" height="120" viewBox="0 0 820 120" preserveAspectRatio="none"><g stroke="var(--cellar-line)"><path d="M0 20h820M0 55h820M0 90h820"/></g><path d="M0 96C60 92 90 88 130 82S210 70 250 58 330 30 380 26s90 10 130 6 80-18 120-4 70 34 110 46 50 14 80 20" fill="none" stroke="var(--cellar-accent)" stroke-width="2"/></svg>',
        }),
      ],
    }),
    fakeCell({
      id: 'fit',
      source:
        'for epoch in range(40):\n    loss = step(model, daily)\n    print(f"epoch {epoch}", end="\\r")',
      status: 'idle',
      defines: ['loss'],
      upstream_ids: ['daily'],
      console_stdout: '',
    }),
    fakeCell({
      id: 'summary',
      source:
        'summary = {"rides": 1204331, "stations": 412, "busiest": ["Part-Dieu", "Bellecour"], "rain": None}\nsummary',
      status: 'ready',
      defines: ['summary'],
      last_duration_ms: 3,
      display_outputs: [
        fakeOutput({
          content_type: 'json/object',
          bytes: 80,
          preview: { rides: 1_204_331, stations: 412, busiest: ['Part-Dieu', 'Bellecour'], rain: null },
        }),
      ],
    }),
    fakeCell({
      id: 'weather',
      source: 'import requests\n\nanswer = requests.get(URL)\nweather_api = answer.json()["days"]',
      status: 'error',
      defines: ['weather_api'],
      console_stderr: 'retrying in 1 s\n',
      error:
        'Traceback (most recent call last):\n  File "<cell weather_api>", line 4, in <module>\n    weather_api = answer.json()["days"]\nKeyError: \'days\'',
    }),
  ];
  return fakeBody({ name: 'Bike trips', cells });
}

/** `count` cells of `lines` lines each, chained one to the next. */
export function largeNotebook(count: number, lines: number): NotebookBody {
  const cells = Array.from({ length: count }, (_none, index) =>
    fakeCell({
      id: `c${index}`,
      defines: [`value_${index}`],
      upstream_ids: index === 0 ? [] : [`c${index - 1}`],
      status: index % 7 === 3 ? 'stale' : 'ready',
      cache_hit: index % 2 === 0,
      last_duration_ms: 10 + index,
      source: Array.from(
        { length: lines },
        (_line, line) => `value_${index} = sum(x * ${line} for x in range(${index}))  # line ${line}`,
      ).join('\n'),
      display_outputs:
        index % 5 === 0
          ? [
              fakeOutput({
                content_type: 'arrow/ipc',
                rows: 20,
                columns: TRIP_COLUMNS,
                preview: tripRows(20),
                artifact_uri: `svc://artifact/nb_${index}@v=1`,
              }),
            ]
          : [],
      console_stdout: index % 3 === 0 ? `printed by cell ${index}\n` : '',
    }),
  );
  return fakeBody({ name: `${count} cells`, cells });
}
