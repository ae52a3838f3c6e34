/** Codecs of configuration variables with hosts, origins, URLs and headers. */

import { isIP } from 'node:net';
import { type Codec, commaList, jsonList, jsonObject } from './codec.ts';

/** Characters that end a part of a header, policy or URL: a value with one of them could forge the next part. */
const ENDS_SOMETHING = /[\s"'<>\\;,]/;

function checkedText(type: string, isRight: (text: string) => boolean): Codec<string> {
  return {
    type,
    parse: (raw) => {
      const value = typeof raw === 'string' ? raw.trim() : null;
      return value !== null && isRight(value) ? { value } : null;
    },
    print: (value) => value,
  };
}

function checkedItems(
  codec: Codec<readonly string[]>,
  type: string,
  isRight: (item: string) => boolean,
): Codec<readonly string[]> {
  return {
    ...codec,
    type,
    parse: (raw) => {
      const items = codec.parse(raw);
      return items?.value.every(isRight) ? items : null;
    },
  };
}

function httpAddress(text: string): URL | null {
  const url = ENDS_SOMETHING.test(text) ? null : URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) ? url : null;
}

export const httpUrl: Codec<string> = checkedText(
  'an http or https address',
  (text) => httpAddress(text) !== null,
);

/** The URL of a server that others are redirected to: no query after its path, no user name before its host. */
export const serverUrl: Codec<string> = checkedText(
  'an http or https address such as `https://notebooks.example`, without `?`, `#` and `@`',
  (text) => httpAddress(text) !== null && !/[?#@]/.test(text),
);

/** An HTTP URL as in httpUrl, or a host with or without its port. */
export const endpoint: Codec<string> = checkedText(
  'an http or https address, or a host as in `storage.example:9000`',
  (text) => httpAddress(text) !== null || /^[A-Za-z0-9][\w.-]*(:\d{1,5})?$/.test(text),
);

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

export const headerName: Codec<string> = checkedText(
  'a header name: letters, digits and `-`, such as `X-Tenant-ID`',
  (text) => HEADER_NAME.test(text),
);

const HOST_NAME = /^[A-Za-z0-9_]([\w.-]*\w)?$/;
const isHost = (text: string): boolean => HOST_NAME.test(text) || isIP(text) !== 0;

export const host: Codec<string> = checkedText('a host name or an IP address', isHost);

const isBelow = (text: string): boolean => text.startsWith('.') && HOST_NAME.test(text.slice(1));

/** Hosts, and all hosts below one (`.example.org`), without schemes, ports and paths. */
export const hostList: Codec<readonly string[]> = checkedItems(
  commaList,
  'host names such as `a.example` or `.example` (all below), comma-separated, without scheme and port',
  (item) => isHost(item) || isBelow(item),
);

/** Hosts as in hostList, or `*` for all. */
export const hostPatterns: Codec<readonly string[]> = checkedItems(
  commaList,
  'host names such as `a.example` or `.example` (all below), comma-separated, without scheme and port, or `*`',
  (item) => item === '*' || isHost(item) || isBelow(item),
);

/** Origins as in the Origin header; a trailing slash is accepted. */
export const originList: Codec<readonly string[]> = checkedItems(
  jsonList,
  'a JSON array of origins, such as `["https://a.example"]`',
  (item) => /^[a-z][a-z0-9+.-]*:\/\/(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?\/?$/i.test(item),
);

/** Host sources of a content policy: an origin, or all hosts below one; never a second directive. */
export const frameAncestorList: Codec<readonly string[]> = checkedItems(
  commaList,
  'origins such as `https://a.example` or `https://*.example`, comma-separated, or `*`',
  (item) =>
    item === '*' ||
    /^([a-z][a-z0-9+.-]*:\/\/)?(\*\.)?(\[[\da-f:.]+\]|[\w-][\w.-]*)(:(\d{1,5}|\*))?\/?$/i.test(item) ||
    /^[a-z][a-z0-9+.-]*:$/i.test(item),
);

/** Names of environment variables. */
export const variableNames: Codec<readonly string[]> = checkedItems(
  commaList,
  'names of variables, comma-separated',
  (item) => !/[\s=]/.test(item),
);

type Texts = Readonly<Record<string, string>>;

function textsBy(type: string, isRight: (key: string, value: string) => boolean): Codec<Texts> {
  return {
    type,
    parse: (raw) => {
      const object = jsonObject.parse(raw);
      if (object === null) return null;
      const value: Record<string, string> = {};
      for (const [key, text] of Object.entries(object.value)) {
        if (typeof text !== 'string' || !isRight(key, text)) return null;
        value[key] = text;
      }
      return { value };
    },
    print: (value) => JSON.stringify(value),
    nested: true,
  };
}

/** A table from the scheme of a mount to the name of a credential (docs/spec/notebook-file.md, 6). */
export const credentialByScheme: Codec<Texts> = textsBy(
  'a JSON object of schemes and names of credentials, such as `{"s3": "store"}`',
  (scheme, name) => /^[a-z][a-z0-9+.-]*$/.test(scheme) && name.trim() !== '',
);

/** Header name to header value. */
export const headers: Codec<Texts> = textsBy(
  'a JSON object of header names and their text',
  (name, text) => HEADER_NAME.test(name) && !/[\r\n\0]/.test(text),
);
