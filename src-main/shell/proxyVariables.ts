/** Passes the system's proxy settings to the tools that the desktop app's server starts, such as uv and R. */

/** The environment variables in which tools look for a proxy; if one is set, the system's settings are ignored. */
const NAMES = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'] as const;

/**
 * The host to query the system for: external hosts have one proxy nearly everywhere, internal ones often
 * none.
 */
export const PROXY_PROBE_HOST = 'https://www.python.org/';

const SCHEMES: Readonly<Record<string, string>> = {
  PROXY: 'http',
  HTTP: 'http',
  HTTPS: 'https',
  SOCKS: 'socks4',
  SOCKS4: 'socks4',
  SOCKS5: 'socks5h',
};

/**
 * The system's proxy settings as the environment variables that uv and R read. Empty if a user has set one.
 * @param answer of Chromium's `resolveProxy`: `PROXY host:port; DIRECT`, the first that works first
 */
export function proxyVariables(
  answer: string,
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  if (NAMES.some((name) => env[name] || env[name.toLowerCase()])) return {};
  const [kind = '', place = ''] = (answer.split(';')[0] ?? '').trim().split(/\s+/);
  const scheme = SCHEMES[kind.toUpperCase()];
  if (scheme === undefined || !/^(?:\[[0-9a-f:.]+\]|[^\s:/@[\]]+):\d{1,5}$/i.test(place)) return {};
  const url = `${scheme}://${place}`;
  const own = env['NO_PROXY'] || env['no_proxy'] || '';
  const near = ['localhost', '127.0.0.1', '::1'].filter((host) => !own.split(/[\s,]+/).includes(host));
  return {
    HTTP_PROXY: url,
    HTTPS_PROXY: url,
    NO_PROXY: [...(own === '' ? [] : [own]), ...near].join(','),
  };
}
