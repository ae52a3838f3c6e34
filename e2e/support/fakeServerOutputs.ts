/**
 * A sample notebook with every kind of output, for screenshots and accessibility tests, with the data that its outputs
 * fetch.
 */

import { deflateSync } from 'node:zlib';
import type { NotebookBody } from '../../src-shared/wire/notebookState.ts';
import type { FakeServer } from './fakeServer.ts';
import { fakeBody, fakeCell, fakeOutput } from './fakeServerNotebook.ts';
import { TRIP_COLUMNS, tripRows } from './fakeServerSamples.ts';

const annotations = fakeCell({ id: 'x' }).annotations;
const ROWS = tripRows(4_000).map((row, index) =>
  index % 9 === 4 ? row.map((value, at) => (at === 3 ? null : value)) : row,
);
const WIDE_COLUMNS = ['__index_level_0__', ...Array.from({ length: 999 }, (_none, at) => `sensor_${at}`)];
const wideRow = (index: number): unknown[] =>
  WIDE_COLUMNS.map((_name, at) => (at === 0 ? index : Math.round(Math.sin(index * at) * 1e4) / 100));

/** The notebook; {@link fillOutputs} puts the data that it fetches into the server. */
export function outputsNotebook(): NotebookBody {
  return fakeBody({
    name: 'Every output',
    cells: [
      fakeCell({
        id: 'trips',
        source: 'trips',
        status: 'ready',
        defines: ['trips'],
        display_outputs: [
          fakeOutput({
            content_type: 'arrow/ipc',
            rows: ROWS.length,
            columns: TRIP_COLUMNS,
            bytes: 96_000,
            artifact_uri: 'svc://artifact/nb_trips@v=1',
            preview: ROWS.slice(0, 20),
          }),
        ],
      }),
      fakeCell({
        id: 'wide',
        source: 'wide',
        status: 'ready',
        defines: ['wide'],
        display_outputs: [
          fakeOutput({
            content_type: 'arrow/ipc',
            rows: 1_000,
            columns: WIDE_COLUMNS,
            bytes: 8_000_000,
            artifact_uri: 'svc://artifact/nb_wide@v=1',
            preview: Array.from({ length: 20 }, (_none, index) => wideRow(index)),
          }),
        ],
      }),
      fakeCell({
        id: 'console',
        source: 'train()',
        status: 'ready',
        defines: ['model'],
        console_stdout:
          'loading \x1b[1mtrips\x1b[0m …\n\x1b[32m✓\x1b[0m 1,204,331 rows\nepoch 1/3 \x1b[36m━━━━━━━━━━━━━━━\x1b[0m 100% loss \x1b[38;2;180;80;20m0.1832\x1b[0m\nepoch 2/3 \x1b[36m━━━━━━━━━\x1b[90m━━━━━━\x1b[0m  60%\r',
        console_stderr: 'UserWarning: 3 rows have no station\n\x1b[33m  warnings.warn(\x1b[0m\n',
      }),
      fakeCell({
        id: 'plot',
        source: 'trips.km.plot()',
        status: 'ready',
        defines: ['plot'],
        display_outputs: [
          fakeOutput({
            content_type: 'image/png',
            bytes: 2_000,
            width: 360,
            height: 160,
            artifact_uri: 'svc://artifact/nb_plot@v=1',
            inline_data_url: `data:image/png;base64,${figure(720, 320).toString('base64')}`,
          }),
        ],
      }),
      fakeCell({
        id: 'page',
        source: 'page',
        status: 'ready',
        defines: ['page'],
        display_outputs: [
          fakeOutput({
            content_type: 'text/html',
            bytes: 120,
            preview:
              '<table><tr><th>station</th><th>rides</th></tr><tr><td>Part-Dieu</td><td>412</td></tr></table><p>Made by <a href="https://example.org">a library</a></p>',
          }),
          fakeOutput({
            content_type: 'text/markdown',
            bytes: 90,
            markdown_text:
              '### Result\nMost rides begin at **Part-Dieu**, see [the map](https://example.org).\n\n| a | b |\n|---|---|\n| 1 | 2 |',
          }),
        ],
      }),
      fakeCell({
        id: 'summary',
        source: 'summary',
        status: 'ready',
        defines: ['summary'],
        display_outputs: [
          fakeOutput({
            content_type: 'json/object',
            bytes: 80,
            preview: {
              rides: 1_204_331,
              stations: { busiest: ['Part-Dieu', 'Bellecour'], empty: [] },
              rain: null,
              name: 'Lyon',
              open: true,
            },
          }),
        ],
      }),
      fakeCell({
        id: 'weather',
        source: 'answer = fetch(URL)\n\ndays = parse(answer)',
        status: 'error',
        defines: ['days'],
        annotations: { ...annotations, name: 'weather' },
        error:
          'Traceback (most recent call last):\n  File "<cell weather>", line 3, in <module>\n    days = parse(answer)\n  File "<cell trips>", line 1, in parse\n    trips\nKeyError: \'days\'',
      }),
    ],
  });
}

/** Puts the data that the notebook's outputs fetch into the server. */
export function fillOutputs(fake: FakeServer): void {
  fake.tables.set('trips', { columns: TRIP_COLUMNS, rows: ROWS });
  fake.tables.set('wide', {
    columns: WIDE_COLUMNS,
    rows: Array.from({ length: 1_000 }, (_none, index) => wideRow(index)),
  });
}

/** A white figure with a line, as a PNG. */
export function figure(width: number, height: number): Buffer {
  const pixels = Buffer.alloc((width + 1) * height, 255);
  for (let y = 0; y < height; y += 1) pixels[y * (width + 1)] = 0;
  for (let x = 0; x < width; x += 1) {
    const y = Math.round(height / 2 - Math.sin(x / 60) * height * 0.35);
    for (let thick = -2; thick <= 2; thick += 1) pixels[(y + thick) * (width + 1) + 1 + x] = 90;
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'ascii'), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
