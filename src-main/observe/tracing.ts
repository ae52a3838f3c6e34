/** Tracing spans that connect related work across processes and machines, if a collector is configured. */

/** A span in the headers of W3C Trace Context; empty if nothing is traced. */
export interface TraceHeaders {
  readonly traceparent?: string;
  readonly tracestate?: string;
}

export interface SpanOptions {
  readonly kind: 'server' | 'client' | 'internal';
  /** The parent span. A trace begins if there is none, or it is malformed. */
  readonly parent?: TraceHeaders;
  readonly attributes?: Readonly<Record<string, string | number>>;
}

/** The result of a span: a thrown error, or the message of a returned one. */
export interface SpanEnd {
  readonly error?: unknown;
  readonly attributes?: Readonly<Record<string, string | number>>;
}

export interface OpenSpan {
  /** The headers for requests within the span. */
  readonly headers: TraceHeaders;
  end(how?: SpanEnd): void;
}

/** Opens spans (docs/spec/core-services.md, 9). */
export interface Tracing {
  begin(name: string, options: SpanOptions): OpenSpan;
  /** Sends pending spans, for a few seconds at most. */
  close(): Promise<void>;
}

const NO_SPAN: OpenSpan = { headers: {}, end: () => undefined };

/** For servers without a collector of traces. */
export const NO_TRACING: Tracing = { begin: () => NO_SPAN, close: async () => undefined };

/** The span in the headers or the metadata of a request. */
export function traceIn(carrier: object): TraceHeaders {
  const traceparent: unknown = Reflect.get(carrier, 'traceparent');
  const tracestate: unknown = Reflect.get(carrier, 'tracestate');
  if (typeof traceparent !== 'string') return {};
  return { traceparent, ...(typeof tracestate === 'string' ? { tracestate } : {}) };
}

/** Runs work within a span, which ends with the work and records its error. */
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
