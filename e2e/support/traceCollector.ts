/** A collector of OpenTelemetry traces on loopback, for tests of the traces that the server sends. */

import { Server, ServerCredentials } from '@grpc/grpc-js';
import protobuf from 'protobufjs';

/** The parts of OTLP's messages that the tests read, with the field numbers of its proto files. */
const OTLP = protobuf.Root.fromJSON({
  nested: {
    AnyValue: { fields: { stringValue: { type: 'string', id: 1 } } },
    KeyValue: { fields: { key: { type: 'string', id: 1 }, value: { type: 'AnyValue', id: 2 } } },
    Status: { fields: { message: { type: 'string', id: 2 }, code: { type: 'int32', id: 3 } } },
    Span: {
      fields: {
        traceId: { type: 'bytes', id: 1 },
        spanId: { type: 'bytes', id: 2 },
        traceState: { type: 'string', id: 3 },
        parentSpanId: { type: 'bytes', id: 4 },
        name: { type: 'string', id: 5 },
        attributes: { rule: 'repeated', type: 'KeyValue', id: 9 },
        status: { type: 'Status', id: 15 },
      },
    },
    ScopeSpans: { fields: { spans: { rule: 'repeated', type: 'Span', id: 2 } } },
    Resource: { fields: { attributes: { rule: 'repeated', type: 'KeyValue', id: 1 } } },
    ResourceSpans: {
      fields: {
        resource: { type: 'Resource', id: 1 },
        scopeSpans: { rule: 'repeated', type: 'ScopeSpans', id: 2 },
      },
    },
    Export: { fields: { resourceSpans: { rule: 'repeated', type: 'ResourceSpans', id: 1 } } },
  },
});

interface Attribute {
  readonly key: string;
  readonly value?: { readonly stringValue?: string };
}

interface Exported {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly traceId: Uint8Array;
        readonly spanId: Uint8Array;
        readonly traceState: string;
        readonly parentSpanId: Uint8Array;
        readonly name: string;
        readonly attributes: readonly Attribute[];
        readonly status: { readonly message: string; readonly code: number } | null;
      }[];
    }[];
  }[];
}

export interface CollectedSpan {
  readonly service: string | undefined;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first span of a trace. */
  readonly parentSpanId: string;
  readonly traceState: string;
  readonly attributes: Readonly<Record<string, string | undefined>>;
  /** The error message; null if the span succeeded. */
  readonly failure: string | null;
}

export interface TraceCollector {
  /** The value for OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string;
  spans(): readonly CollectedSpan[];
  close(): void;
}

const ERROR = 2;

/** Starts a collector that receives spans by OTLP over gRPC, on loopback, and stores them. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const server = new Server();
  const spans: CollectedSpan[] = [];
  server.register(
    '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
    (call: { readonly request: Exported }, answer: (error: null, value: Buffer) => void) => {
      spans.push(...collected(call.request));
      answer(null, Buffer.alloc(0));
    },
    (value: Buffer) => value,
    (bytes: Buffer): Exported => {
      const type = OTLP.lookupType('Export');
      // With empty lists and texts for fields that were not sent.
      return type.toObject(type.decode(bytes), { defaults: true }) as Exported;
    },
    'unary',
  );
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return { url: `http://127.0.0.1:${port}`, spans: () => spans, close: () => server.forceShutdown() };
}

function collected({ resourceSpans }: Exported): readonly CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap((scope) =>
      scope.spans.map((span) => ({
        service: textsOf(resource.attributes)['service.name'],
        name: span.name,
        traceId: hex(span.traceId),
        spanId: hex(span.spanId),
        parentSpanId: hex(span.parentSpanId),
        traceState: span.traceState,
        attributes: textsOf(span.attributes),
        failure: span.status?.code === ERROR ? span.status.message : null,
      })),
    ),
  );
}

function textsOf(attributes: readonly Attribute[]): Record<string, string | undefined> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value?.stringValue]));
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
