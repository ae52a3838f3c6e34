import { describe, expect, it } from 'vitest';
import { openTracing } from './openTracing.ts';
import { inSpan, NO_TRACING, type SpanEnd, type Tracing, traceIn } from './tracing.ts';

const PARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
/** Nothing listens there: spans are lost, which is reported. */
const UNREACHABLE = 'http://127.0.0.1:1';

describe('[RW-32] whether work is traced', () => {
  it.each([
    ['without an endpoint', true, {}, false],
    ['with an empty one', true, { OTEL_EXPORTER_OTLP_ENDPOINT: '' }, false],
    ['with one', true, { OTEL_EXPORTER_OTLP_ENDPOINT: UNREACHABLE }, true],
    ['with one only for traces', true, { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: UNREACHABLE }, true],
    ['when SVC_TRACING_ENABLED disables it', false, { OTEL_EXPORTER_OTLP_ENDPOINT: UNREACHABLE }, false],
  ])('%s', async (_when, enabled, env, isTraced) => {
    const tracing = await openTracing({ enabled, env, warn: () => undefined });
    expect(tracing !== NO_TRACING).toBe(isTraced);
    const span = tracing.begin('notebook.dispatch', { kind: 'client' });
    expect('traceparent' in span.headers).toBe(isTraced);
    span.end();
    await tracing.close();
  });

  it('a span belongs to the trace in its headers, or to a new one if they are malformed', async () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: UNREACHABLE };
    const tracing = await openTracing({ enabled: true, env, warn: () => undefined });
    const child = tracing.begin('x', { kind: 'server', parent: { traceparent: PARENT, tracestate: 'a=b' } });
    expect(child.headers).toEqual({
      traceparent: expect.stringMatching(
        /^00-4bf92f3577b34da6a3ce929d0e0e4736-(?!00f067aa0ba902b7)[0-9a-f]{16}-01$/,
      ),
      tracestate: 'a=b',
    });
    const own = tracing.begin('x', {
      kind: 'server',
      parent: { traceparent: 'nonsense', tracestate: 'a=b' },
    });
    expect(own.headers).toEqual({ traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/) });
    await tracing.close();
  });
});

it.each([
  ['both', { traceparent: PARENT, tracestate: 'a=b' }, { traceparent: PARENT, tracestate: 'a=b' }],
  ['one', { traceparent: PARENT }, { traceparent: PARENT }],
  ['a state without a parent', { tracestate: 'a=b' }, {}],
  ['null, as a manifest may say', { traceparent: null, tracestate: null }, {}],
  ['a header sent twice', { traceparent: [PARENT, PARENT] }, {}],
])('[RW-32] the trace headers of a request with %s', (_what, headers, expected) =>
  expect(traceIn(headers)).toEqual(expected),
);

it('[RW-32] a span ends with its work, and records its error', async () => {
  const ends: (SpanEnd | undefined)[] = [];
  const tracing: Tracing = {
    begin: () => ({ headers: {}, end: (how) => void ends.push(how) }),
    close: async () => undefined,
  };
  expect(await inSpan(tracing, 'x', { kind: 'internal' }, async () => 7)).toBe(7);
  const failing = inSpan(tracing, 'x', { kind: 'internal' }, () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  expect(ends).toEqual([undefined, { error: new Error('no') }]);
});
