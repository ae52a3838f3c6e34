import { describe, expect, test } from 'vitest';
import { type MountPlace, mountNameFor, placeOf, relativeMountUri, withMount } from './mountUri.ts';

const local = (path: string, relative: boolean): MountPlace => ({ kind: 'local', path, relative });
const remote = (scheme: 's3' | 'gs' | 'az', container: string, prefix: string): MountPlace => ({
  kind: 'remote',
  scheme,
  container,
  prefix,
});

const PLACES: readonly (readonly [uri: string, place: MountPlace])[] = [
  ['file:///data/raw', local('/data/raw', false)],
  ['FILE:///data', local('/data', false)],
  ['file://localhost/data', local('/data', false)],
  ['file:///a%20b', local('/a b', false)],
  ['file:///100%', local('/100%', false)],
  ['file:///C:/data/x', local('C:/data/x', false)],
  ['file://./data/trips.csv', local('./data/trips.csv', true)],
  ['file://../shared', local('../shared', true)],
  ['file://.', local('.', true)],
  ['/data', local('/data', false)],
  ['C:\\data', local('C:\\data', false)],
  ['data/a b%20c', local('data/a b%20c', true)],
  ['s3://bucket', remote('s3', 'bucket', '')],
  ['s3://bucket/a/b/', remote('s3', 'bucket', 'a/b')],
  ['gcs://bucket/a', remote('gs', 'bucket', 'a')],
  ['gs://bucket//a', remote('gs', 'bucket', 'a')],
  ['azure://box/a', remote('az', 'box', 'a')],
  ['az://box/', remote('az', 'box', '')],
];

const UNSUPPORTED = ['ftp://x/y', 's3://', 's3:///key', 'file://server/share', 'file://', '', ' ', 'a\0b'];

describe('mount uris', () => {
  test.each(PLACES)('[MT-1] %s', (uri, place) => {
    expect(placeOf(uri)).toEqual(place);
  });

  test.each(UNSUPPORTED)('[MT-1] %j is refused with a message', (uri) => {
    const place = placeOf(uri);
    expect(place.kind).toBe('unsupported');
    expect(place.kind === 'unsupported' && place.problem.length).toBeGreaterThan(10);
  });

  test.each([
    ['data/x.csv', 'file://./data/x.csv', './data/x.csv'],
    ['./a b/é.csv', 'file://./a%20b/%C3%A9.csv', './a b/é.csv'],
    ['../x', 'file://../x', '../x'],
    ['sub\\x', 'file://./sub/x', './sub/x'],
  ])('[MT-1] a path of the notebook: %s', (path, uri, back) => {
    expect(relativeMountUri(path)).toBe(uri);
    expect(placeOf(uri)).toEqual(local(back, true));
  });
});

describe('writing a @mount line', () => {
  const line = { name: 'raw', uri: 'file://./d' };
  test.each([
    ['x = 1', '# @mount raw file://./d\nx = 1'],
    ['# @name a\r\n\r\nx', '# @name a\r\n# @mount raw file://./d\r\n\r\nx'],
    ['# @mount raw s3://b rw\n# @mount b file:///x\nx', '# @mount raw file://./d\n# @mount b file:///x\nx'],
  ])('[MT-2] %j', (source, expected) => {
    expect(withMount(source, line)).toBe(expected);
  });

  test('[MT-2] what one line cannot hold is refused', () => {
    expect(() => withMount('', { name: '1x', uri: 'a' })).toThrow(RangeError);
    expect(() => withMount('', { name: 'x', uri: 'a b' })).toThrow(RangeError);
  });

  test.each([
    ['data/trips 2024.csv', [], 'trips_2024'],
    ['data/trips.csv', ['trips', 'trips_2'], 'trips_3'],
    ['2024/', [], 'data_2024'],
    ['...', [], 'data'],
  ])('[MT-2] the name of %s', (path, usedNames, name) => {
    expect(mountNameFor(path, new Set(usedNames))).toBe(name);
  });
});
