/** Metrics of a relay since its start, for Prometheus. */
export class RelayMetrics {
  readonly #counters = new Map<string, number>();

  count(name: CounterName, by = 1, labels: Readonly<Record<string, string>> = {}): void {
    const pairs = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    const key = pairs.length === 0 ? name : `${name}{${pairs.join(',')}}`;
    this.#counters.set(key, (this.#counters.get(key) ?? 0) + by);
  }

  /** The text format; gauges are read now. */
  text(gauges: Readonly<Record<GaugeName, number>>): string {
    const lines: string[] = [];
    for (const [name, help] of Object.entries(COUNTERS)) {
      lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} counter`);
      const rows = [...this.#counters].filter(([key]) => key === name || key.startsWith(`${name}{`));
      lines.push(
        ...(rows.length === 0 ? [[name, 0] as const] : rows).map(([key, value]) => `${key} ${value}`),
      );
    }
    for (const [name, help] of Object.entries(GAUGES)) {
      lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, `${name} ${gauges[name as GaugeName]}`);
    }
    return `${lines.join('\n')}\n`;
  }
}

const COUNTERS = {
  svc_relay_requests_total: 'Calls answered, by status.',
  svc_relay_aborted_total: 'Responses that were interrupted after their start.',
  svc_relay_request_bytes_total: 'Bytes of request bodies forwarded to workers.',
  svc_relay_response_bytes_total: 'Bytes of responses received from workers.',
  svc_relay_worker_connections_total: 'Workers that connected.',
  svc_relay_worker_refusals_total: 'Handshakes of workers that were refused, by status.',
  svc_relay_worker_losses_total: 'Connections of workers that ended with calls in progress.',
} as const;
const GAUGES = {
  svc_relay_workers_connected: 'Workers connected now.',
  svc_relay_streams: 'Calls in progress.',
  svc_relay_spooled_bytes: 'Bytes of responses that wait for their callers.',
} as const;

type CounterName = keyof typeof COUNTERS;
type GaugeName = keyof typeof GAUGES;
