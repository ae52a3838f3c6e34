/** The URLs and headers with which the client `svc` in a cell reaches the server (docs/spec/harness.md, 1). */
export interface ClientAccess {
  /** The server's URL; empty when the run has no server, which the client then reports. */
  readonly url: string;
  /** Sent with each request; may be credentials. */
  readonly headers: Readonly<Record<string, string>>;
  /** Where the client promotes results of the notebook; null: nowhere. */
  readonly promote: { readonly url: string; readonly headers: Readonly<Record<string, string>> } | null;
}

/**
 * The fields of a manifest for the client. A manifest without `svc_url` gives the cell no client: a worker's has none.
 */
export function clientFields(access: ClientAccess | undefined) {
  if (access === undefined) return {};
  const { url, headers, promote } = access;
  return {
    svc_url: url,
    svc_headers: { ...headers },
    ...(promote === null
      ? {}
      : { svc_promote_url: promote.url, svc_promote_headers: { ...promote.headers } }),
  };
}
