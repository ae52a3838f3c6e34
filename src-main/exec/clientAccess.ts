/** How the client `svc` of a cell reaches its server (harness 1). */
export interface ClientAccess {
  /** Empty: the run has no server, and the client says so. */
  readonly url: string;
  /** Sent with each request; may be credentials. */
  readonly headers: Readonly<Record<string, string>>;
  /** Where results of the notebook are promoted; null: nowhere. */
  readonly promote: { readonly url: string; readonly headers: Readonly<Record<string, string>> } | null;
}

/** The fields of a manifest for it. A manifest without `svc_url` gives the cell no client: a worker's has none. */
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
