import { fitsSpecifier } from '../../environment/pythonVersion.ts';

/**
 * A notebook's request for a Python (the form of a `.python-version` file) as a version specifier; null for other kinds
 * of requests (another implementation, a free-threaded build, a path), which only uv can read. Empty: any version.
 */
export function specifierOf(request: string): string | null {
  const text = request.trim().replace(/^(?:cpython|python)[-@]?(?=\d)/i, '');
  if (text === '') return '';
  if (/^3(?:\.\d+)?$/.test(text)) return `==${text}.*`;
  if (/^3\.\d+\.\d+$/.test(text)) return `==${text}`;
  return /^(?:(?:===|==|!=|~=|>=|<=|>|<)\s*\d+(?:\.\d+)*(?:\.\*)?\s*(?:,\s*|$))+$/.test(text) ? text : null;
}

/** Whether a released version such as `3.13.1` satisfies a request. */
export function fitsRequest(version: string, request: string): boolean {
  const specifier = specifierOf(request);
  return specifier !== null && fitsSpecifier(version, specifier);
}
