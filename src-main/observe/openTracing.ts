/** Opens tracing, which sends spans to a collector if one is configured. */

import { NO_TRACING, type Tracing } from './tracing.ts';

interface TracingOptions {
  /** SVC_TRACING_ENABLED. */
  readonly enabled: boolean;
  /** The OTEL_* variables; the endpoint among them turns tracing on. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Called when traces could not be sent; nothing waits for them. */
  readonly warn: (message: string) => void;
}

/**
 * Spans are sent by OTLP over gRPC if OTEL_EXPORTER_OTLP_ENDPOINT (or the variable for traces only) is set.
 */
export async function openTracing({ enabled, env, warn }: TracingOptions): Promise<Tracing> {
  const endpoint = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] || env['OTEL_EXPORTER_OTLP_ENDPOINT'] || null;
  if (!enabled || endpoint === null) return NO_TRACING;
  // Loading it takes a third of a second and 30 MB, only for those who need it.
  const { openOtlpTracing } = await import('./otlpTracing.ts');
  return openOtlpTracing({
    service: env['OTEL_SERVICE_NAME'] || 'svc',
    everyMs: Number(env['OTEL_BSP_SCHEDULE_DELAY']) || null,
    warn,
  });
}
