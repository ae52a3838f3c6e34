import { describe, expect, test } from 'vitest';
import type { Annotations } from './annotation.ts';
import { parseAnnotations } from './annotations.ts';

const empty = parseAnnotations('', 'python');
const sha = 'ab'.repeat(32);

/** Source → what differs from a cell without directives. */
const PARSED: readonly (readonly [source: string, expected: Partial<Annotations>])[] = [
  ['x = 1', {}],
  ['# @name My cell \nx', { name: 'My cell' }],
  ['#@NAME a\n\n   # @name b\nx\n# @name c', { name: 'b' }],
  ['\uFEFF# @worker gpu-1\r\n# @timeout 1.5e1\r\nx', { worker: 'gpu-1', timeout: 15 }],
  ['-- @name no\n# @name late', {}],
  ['# @timeout abc\n# @timeout 0\n# @timeout -1\n# @timeout inf', {}],
  ['# @timeout 5\n# @timeout', { timeout: 5 }],
  ['# @env A = 1=2 \n# @env B=\n# @env A=3\n# @env foo\n# @env =x', { env: { A: '3', B: '' } }],
  ['# @env __proto__=x', { env: JSON.parse('{"__proto__":"x"}') as Record<string, string> }],
  ['# @after a, b\n# @after b c,', { after: ['a', 'b', 'c'] }],
  ['# @nocache', { nocache: true }],
  ['# @nocache\n# @nocache Off', {}],
  ['# @nocache 0', {}],
  ['# @live yes', { live: true }],
  ['# @setup', { setup: true }],
  ['# @Setup  \n# @name a', { setup: true, name: 'a' }],
  ['# @setup\n# @setup off', {}],
  ['import os\n# @setup', {}],
  ['# @setups', {}],
  ['# @constructor x\n# @toString y\n# @unknown z', {}],
  [
    '# @mount raw file:///d\n# @mount s s3://b/p rw credential=lab\n# @mount 1x file:///d',
    {
      mounts: [
        { name: 'raw', uri: 'file:///d', mode: 'ro', credential: null },
        { name: 's', uri: 's3://b/p', mode: 'rw', credential: 'lab' },
      ],
    },
  ],
  [
    '# @table t w#ns.t snapshot=12\n# @table u ns.u\n# @table v ns.v snapshot=x',
    {
      tables: [
        { name: 't', uri: 'w#ns.t', snapshotPin: 12, snapshotId: '12' },
        { name: 'u', uri: 'ns.u', snapshotPin: null, snapshotId: null },
      ],
    },
  ],
  [
    '# @table t ns.t snapshot=7731075476314307514',
    {
      tables: [
        {
          name: 't',
          uri: 'ns.t',
          snapshotPin: Number('7731075476314307514'),
          snapshotId: '7731075476314307514',
        },
      ],
    },
  ],
  [
    `# @fetch z https://h/z refetch=never sha256=${sha}\n# @fetch y https://h/y\n# @fetch q u what=1`,
    {
      fetches: [
        { name: 'z', url: 'https://h/z', sha256: sha, refetch: 'never' },
        { name: 'y', url: 'https://h/y', sha256: null, refetch: 'stale' },
      ],
    },
  ],
  [
    '# @dataset d sales\n# @dataset e sales@prod\n# @dataset f sales@v=2\n# @dataset g sales@v=0\n# @dataset h a b',
    {
      datasets: [
        { variable: 'd', name: 'sales', alias: null, version: null },
        { variable: 'e', name: 'sales', alias: 'prod', version: null },
        { variable: 'f', name: 'sales', alias: null, version: 2 },
      ],
    },
  ],
  ['# @variant m lo\n# @variant m', { variant: { group: 'm', name: 'lo' } }],
  ['# @per_variant', { perVariant: { group: null } }],
  ['# @per_variant m rest', { perVariant: { group: 'm' } }],
  [
    '# @loop max_iter=2 carry=state start_from=l1@iter=1\n# @loop_until state > tol\n# @loop max_iter=x',
    { loop: { maxIter: 2, carry: 'state', untilExpr: 'state > tol', startFromCell: 'l1', startFromIter: 1 } },
  ],
  [
    '# @loop max_iter=3\n# @loop carry=x until=done',
    { loop: { maxIter: 3, carry: 'x', untilExpr: 'done', startFromCell: null, startFromIter: null } },
  ],
  ['x = 1\n  # @app hide this', { appHide: true }],
  ['x = 1 # @app hide', {}],
  ['# @sql connection=db write=YES\n# @sql write=maybe', { sql: { connection: 'db', write: false } }],
  ['# @cache ttl=60\n# @cache Forever\n# @cache ttl=0', { cache: { kind: 'ttl', seconds: 60 } }],
  ['# @cache session', { cache: { kind: 'session' } }],
  [
    '# @model m\n# @system Be brief\n# @output json\n# @temperature .5\n# @max_tokens 9\n# @output_schema {"a":1}\n# @output_schema [1]\n# @validate_retries 2\n# @validate_retries 0',
    {
      prompt: {
        model: 'm',
        system: 'Be brief',
        output: 'json',
        temperature: 0.5,
        maxTokens: 9,
        outputSchema: { a: 1 },
        validateRetries: 2,
      },
    },
  ],
];

describe('directives', () => {
  test.each(PARSED)('[AN-1] [AN-2] %j', (source, expected) => {
    expect(parseAnnotations(source, 'python')).toEqual({ ...empty, ...expected });
  });

  test('[AN-3] a timeout has no meaning in prompt, SQL and widget cells', () => {
    const counts = (['prompt', 'sql', 'widget', 'r'] as const).map(
      (language) => parseAnnotations('# @timeout 5', language).timeout,
    );
    expect(counts).toEqual([null, null, null, 5]);
  });
});
