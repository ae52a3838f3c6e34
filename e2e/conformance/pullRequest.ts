/** Builds the JSON of a pull request to a worker, for the conformance tests. */

interface Changes {
  readonly inputs?: Record<string, string>;
  readonly output?: object;
  readonly params?: object;
  /** Any other field of the request. */
  [key: string]: unknown;
}

/** A pull request for one cell: every input is JSON, and all its URLs start with `places`. */
export function manifest(
  places: string,
  source: string,
  { output = {}, params = {}, ...more }: Changes = {},
): string {
  const inputs = more.inputs ?? {};
  delete more.inputs;
  return JSON.stringify({
    build_id: 'nbbuild-1',
    metadata: {
      build_id: 'nbbuild-1',
      executor_ref: 'notebook_cell@v1',
      params: {
        source,
        timeout_seconds: 30,
        mounts: [],
        env: {},
        ...params,
        input_specs: Object.fromEntries(
          Object.keys(inputs).map((name) => [
            name,
            { uri: `svc://artifact/in_${name}@v=1`, content_type: 'json/object' },
          ]),
        ),
      },
      notebook_id: 'n',
      cell_id: 'c',
      origin: 'notebook',
    },
    inputs: Object.entries(inputs).map(([name, url]) => ({
      artifact_id: `in_${name}`,
      version: 1,
      url,
      expires_at: 4e9,
    })),
    output: { url: `${places}/upload?sig=1`, max_bytes: 1e9, expires_at: 4e9, method: 'POST', ...output },
    finalize_url: `${places}/finalize?sig=2`,
    ...more,
  });
}
