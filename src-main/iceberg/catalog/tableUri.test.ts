import { describe, expect, it } from 'vitest';
import { parseLocation } from '../storage/location.ts';
import { parseTableUri } from './tableUri.ts';

describe('[IC-9] table URIs', () => {
  it.each([
    ['lake:ns.t', 'catalog', 'lake', 'lake.ns.t'],
    ['ns.t', 'catalog', 'default', 'default.ns.t'],
    ['file:///wh#ns.t', 'warehouse', 'file:///wh', 'svc.ns.t'],
    ['/wh#ns.t', 'warehouse', '/wh', 'svc.ns.t'],
    ['/a#b#ns.t', 'warehouse', '/a#b', 'svc.ns.t'],
    ['s3://b/wh#ns.t', 'warehouse', 's3://b/wh', 'svc.ns.t'],
    ['gs://b/wh#ns.t', 'warehouse', 'gs://b/wh', 'svc.ns.t'],
    ['az://b/wh#ns.t', 'warehouse', 'az://b/wh', 'svc.ns.t'],
    ['abfs://b@account/wh#ns.t', 'warehouse', 'abfs://b@account/wh', 'svc.ns.t'],
  ])('%s', (text, kind, place, identity) => {
    const uri = parseTableUri(text, 'default');
    expect([uri.kind, uri.kind === 'catalog' ? uri.catalog : uri.warehouse, uri.identity]).toEqual([
      kind,
      place,
      identity,
    ]);
  });

  it.each([
    ['t', "Invalid table_id 't': expected 'namespace.table' format"],
    ['a.b.c', "Invalid table_id 'a.b.c': expected 'namespace.table' format"],
    ['lake:t', "Invalid table_id 't'"],
    ['/wh#t', "Invalid table_id 't'"],
    ['/wh#.t', "Invalid table_id '.t'"],
    ['file:///wh', "Invalid table_id '///wh'"],
    ['svc://artifact/a.b', 'Invalid table_id'],
    ['wh#ns.t', 'must be an absolute path or a URI'],
    ['', "Invalid table_id ''"],
  ])('%s is refused', (text, sentence) => expect(() => parseTableUri(text, 'default')).toThrow(sentence));
});

describe('[IC-9] locations of files', () => {
  it.each([
    ['/a/b c%20', { kind: 'local', path: '/a/b c%20' }],
    ['file:///a/b%20', { kind: 'local', path: '/a/b%20' }],
    ['file:/a', { kind: 'local', path: '/a' }],
    ['file://localhost/a', { kind: 'local', path: '/a' }],
    ['s3a://b/k/x#y?z', { kind: 'object', scheme: 's3', container: 'b', key: 'k/x#y?z' }],
    ['abfss://c@a.dfs.core.windows.net/k', { kind: 'object', scheme: 'az', container: 'c', key: 'k' }],
  ])('%s', (text, place) => expect(parseLocation(text)).toEqual(place));

  it.each(['http://x/y', 'file://host/x', 'relative', 's3:///x', 'constructor://a/b'])(
    '%s is refused',
    (text) => {
      expect(() => parseLocation(text)).toThrow('has no scheme that is supported');
    },
  );
});
