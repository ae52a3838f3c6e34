import type { Codec } from './codec.ts';

/**
 * The codec of SVC_PUBLIC_BASE_PATH, the URL path below which a proxy serves the program: empty, or `/a/b` without a
 * trailing slash (docs/spec/configuration.md, 2 lists the forbidden characters).
 */
export const basePath: Codec<string> = {
  type: 'empty or a path such as `/notebooks`, without space, quote, `;`, `,`, `<`, `>`, `?`, `#`, `%`, backslash and the parts `.` and `..`',
  parse: (raw) => {
    if (typeof raw !== 'string' || /[\s?#%\\"'<>]/.test(raw.trim())) return null;
    const parts = raw.split('/').flatMap((part) => part.trim() || []);
    if (parts.includes('.') || parts.includes('..') || /[;,]/.test(raw)) return null;
    return { value: parts.map((part) => `/${part}`).join('') };
  },
  print: (value) => value,
};
