/** A span as others are told of it, in the words of W3C Trace Context; empty where nothing is traced. */
export interface TraceHeaders {
  readonly traceparent?: string;
  readonly tracestate?: string;
}

export interface SpanOptions {
  readonly kind: 'server' | 'client' | 'internal';
  /** What it is a child of. A trace begins where there is none, or none that is well formed. */
  readonly parent?: TraceHeaders;
  readonly attributes?: Readonly<Record<string, string | number>>;
}

/** How a span went; an error that was thrown, or words of one that was answered. */
export interface SpanEnd {
  readonly error?: unknown;
  readonly attributes?: Readonly<Record<string, string | number>>;
}

export interface OpenSpan {
  /** What a request made within it carries. */
  readonly headers: TraceHeaders;
  end(how?: SpanEnd): void;
}

/** Says which work belongs together, over processes and machines (core-services 9, Tracing). */
export interface Tracing {
  begin(name: string, options: SpanOptions): OpenSpan;
  /** Sends what waits to be sent, for a few seconds at most. */
  close(): Promise<void>;
}

const NO_SPAN: OpenSpan = { headers: {}, end: () => undefined };

/** Where nobody collects traces. */
export const NO_TRACING: Tracing = { begin: () => NO_SPAN, close: async () => undefined };

export interface TracingOptions {
  /** SVC_TRACING_ENABLED. */
  readonly enabled: boolean;
  /** The OTEL_* variables; of these the endpoint turns tracing on. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Hears that traces could not be sent; nothing waits for them. */
  readonly warn: (words: string) => void;
}

/** Spans go out by OTLP over gRPC where OTEL_EXPORTER_OTLP_ENDPOINT (or that of traces alone) is set. */
export async function openTracing({ enabled, env, warn }: TracingOptions): Promise<Tracing> {
  const endpoint = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] || env['OTEL_EXPORTER_OTLP_ENDPOINT'] || null;
  if (!enabled || endpoint === null) return NO_TRACING;
  // A third of a second and 30 MB that nobody else is to pay.
  const { openOtlpTracing } = await import('./otlpTracing.ts');
  return openOtlpTracing({
    service: env['OTEL_SERVICE_NAME'] || 'svc',
    everyMs: Number(env['OTEL_BSP_SCHEDULE_DELAY']) || null,
    warn,
  });
}

/** The span something was sent within, as its headers or its metadata say. */
export function traceIn(said: object): TraceHeaders {
  const traceparent: unknown = Reflect.get(said, 'traceparent');
  const tracestate: unknown = Reflect.get(said, 'tracestate');
  if (typeof traceparent !== 'string') return {};
  return { traceparent, ...(typeof tracestate === 'string' ? { tracestate } : {}) };
}

/** Works within a span, which ends with the work and says what it threw. */
export async function inSpan<T>(
  tracing: Tracing,
  name: string,
  options: SpanOptions,
  work: (span: OpenSpan) => Promise<T>,
): Promise<T> {
  const span = tracing.begin(name, options);
  try {
    const result = await work(span);
    span.end();
    return result;
  } catch (error) {
    span.end({ error });
    throw error;
  }
}
