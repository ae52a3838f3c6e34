/** The packages a Python notebook needs to store tables, JSON and any other object (docs/spec/notebook-file.md, 1). */
export const STORE_REQUIREMENTS: readonly string[] = [
  'pyarrow>=18.0.0',
  'orjson>=3.10.0',
  'cloudpickle>=3.0.0',
];

/** The names of these packages, normalized as in PEP 503. */
export const STORE_PACKAGES: ReadonlySet<string> = new Set(['pyarrow', 'orjson', 'cloudpickle']);
