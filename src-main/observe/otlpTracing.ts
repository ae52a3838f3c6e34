/** Sends tracing spans to an OpenTelemetry collector over OTLP. */

import {
  DiagLogLevel,
  defaultTextMapGetter,
  defaultTextMapSetter,
  diag,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { OpenSpan, SpanOptions, TraceHeaders, Tracing } from './tracing.ts';

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;
/** How long a collector without a response may delay the end of the program. */
const CLOSE_MS = 3_000;

/** Sends spans in batches to the endpoint of the OTEL_* variables, with their headers and limits. */
export function openOtlpTracing({
  service,
  everyMs,
  warn,
}: {
  readonly service: string;
  /** The time between two batches (OTEL_BSP_SCHEDULE_DELAY); null: the library's five seconds. */
  readonly everyMs: number | null;
  readonly warn: (message: string) => void;
}): Tracing {
  const complain = (message: string): void => warn(`Traces could not be sent: ${message}`);
  diag.setLogger(
    {
      error: complain,
      warn: complain,
      info: () => undefined,
      debug: () => undefined,
      verbose: () => undefined,
    },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter(),
        ...(everyMs === null ? {} : { scheduledDelayMillis: everyMs }),
      }),
    ],
  });
  const tracer = provider.getTracer('cellar');
  const propagator = new W3CTraceContextPropagator();
  return {
    begin(name, { kind, parent = {}, attributes = {} }: SpanOptions): OpenSpan {
      const context = propagator.extract(ROOT_CONTEXT, parent, defaultTextMapGetter);
      const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, context);
      const headers: TraceHeaders = {};
      propagator.inject(trace.setSpan(context, span), headers, defaultTextMapSetter);
      return {
        headers,
        end({ error, attributes: values = {} } = {}) {
          span.setAttributes(values);
          if (error !== undefined) {
            const message = error instanceof Error ? error.message : String(error);
            span.setStatus({ code: SpanStatusCode.ERROR, message });
          }
          span.end();
        },
      };
    },
    async close() {
      const late = new Promise<void>((done) => setTimeout(done, CLOSE_MS).unref());
      const closing = provider.shutdown().catch((error: unknown) => complain(String(error)));
      await Promise.race([closing, late]);
    },
  };
}
