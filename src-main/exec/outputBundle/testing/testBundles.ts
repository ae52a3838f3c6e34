/**
 * Bundles in the forms that other workers write: each has `x` = 42, a display with the same bytes, and a
 * console.
 */

import { manifest, type TestMember, tarOf } from './testTar.ts';

const X = { content_type: 'json/object', bytes: 2, preview: 42 };
const text = (name: string, content: string): TestMember => ({ name, text: content });

const STREAMS = [text('stdout.txt', 'hello\n'), text('stderr.txt', 'oh\n')];
const NAMED = { stdout_file: 'stdout.txt', stderr_file: 'stderr.txt', error: null, traceback: null };

export const FOREIGN_BUNDLES: Readonly<Record<string, () => Promise<Buffer>>> = {
  'only files/': () =>
    tarOf([
      manifest({
        ...NAMED,
        variables: { x: { ...X, file: 'files/x.json' }, _: { ...X, file: 'files/x.json' } },
        displays: [{ ...X, file: 'files/x.json' }],
        mutation_warnings: [],
        build_env: 'cpython-3.13-linux-x86_64',
        hardware: { cpus: 2 },
      }),
      ...STREAMS,
      text('files/x.json', '42'),
    ]),
  'only outputs/ and display/': () =>
    tarOf([
      manifest({
        executor_ref: 'notebook_cell@v1',
        duration_ms: 5,
        console: 'console.json',
        error: null,
        outputs: [{ ...X, name: 'x', file: 'outputs/x.json' }],
        display: [{ ...X, file: 'display/shown.json' }],
      }),
      text('outputs/x.json', '42'),
      text('display/shown.json', '42'),
      text('console.json', '{"stdout":"hello\\n","stderr":"oh\\n"}'),
    ]),
  'both, files/ being links': () =>
    tarOf([
      manifest({
        ...NAMED,
        outputs: [{ ...X, name: 'x', file: 'outputs/x.json' }],
        display: [{ ...X, file: 'display/shown.json' }],
        variables: { x: { ...X, file: 'files/x.json' } },
        displays: [{ ...X, file: 'files/shown.json' }],
      }),
      ...STREAMS,
      text('outputs/x.json', '42'),
      text('display/shown.json', '42'),
      { name: 'files/x.json', type: 'link', linkname: 'outputs/x.json' },
      { name: 'files/shown.json', type: 'link', linkname: 'display/shown.json' },
    ]),
};
