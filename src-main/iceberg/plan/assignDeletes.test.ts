import { describe, expect, it } from 'vitest';
import type { ContentFile } from '../metadata/manifests.ts';
import { contentFile } from '../testing/contentFile.ts';
import { DELETE_PATH_ID, deletesFor } from './assignDeletes.ts';

const SPECS = new Map([
  [0, { specId: 0, fields: [] }],
  [1, { specId: 1, fields: [{ fieldId: 1000, sourceId: 1, name: 'p', transform: 'identity' }] }],
]);
const DATA = contentFile({ path: 'b', specId: 1, partition: { 1000: 7n }, sequenceNumber: 5n });
const bytes = (text: string) => Buffer.from(text, 'utf8');

const POSITION: Partial<ContentFile> = { content: 'position_deletes', path: 'x', sequenceNumber: 5n };
const EQUALITY: Partial<ContentFile> = {
  content: 'equality_deletes',
  path: 'x',
  sequenceNumber: 6n,
  equalityIds: [1],
  specId: 1,
  partition: { 1000: 7n },
};
const VECTOR: Partial<ContentFile> = { ...POSITION, format: 'puffin', referencedFile: 'b' };

describe('[IC-4] which deletes apply to a data file', () => {
  it.each<[string, Partial<ContentFile>, 'positions' | 'equalities' | 'vector' | 'none']>([
    ['positions of the same commit', POSITION, 'positions'],
    ['positions of an earlier commit', { ...POSITION, sequenceNumber: 4n }, 'none'],
    ['positions of this file', { ...POSITION, referencedFile: 'b' }, 'positions'],
    ['positions of another file', { ...POSITION, referencedFile: 'a' }, 'none'],
    [
      'positions of files from a to b',
      {
        ...POSITION,
        lowerBounds: new Map([[DELETE_PATH_ID, bytes('a')]]),
        upperBounds: new Map([[DELETE_PATH_ID, bytes('b')]]),
      },
      'positions',
    ],
    [
      'positions of files from c on',
      { ...POSITION, lowerBounds: new Map([[DELETE_PATH_ID, bytes('c')]]) },
      'none',
    ],
    [
      'positions of files up to a',
      { ...POSITION, upperBounds: new Map([[DELETE_PATH_ID, bytes('a')]]) },
      'none',
    ],
    ['values of a later commit, of the partition', EQUALITY, 'equalities'],
    ['values of the same commit', { ...EQUALITY, sequenceNumber: 5n }, 'none'],
    ['values of another partition', { ...EQUALITY, partition: { 1000: 8n } }, 'none'],
    ['values of the NULL partition', { ...EQUALITY, partition: { 1000: null } }, 'none'],
    ['values of all partitions', { ...EQUALITY, specId: 0, partition: {} }, 'equalities'],
    ['a vector', VECTOR, 'vector'],
    ['a vector of another file', { ...VECTOR, referencedFile: 'a' }, 'none'],
  ])('%s', (_, parts, kind) => {
    const file = contentFile(parts);
    const [found] = deletesFor([DATA], [file], SPECS);
    expect(found).toEqual({
      positions: kind === 'positions' ? [file] : [],
      equalities: kind === 'equalities' ? [file] : [],
      vector: kind === 'vector' ? file : null,
    });
  });

  it('a vector replaces files of positions', () => {
    const [found] = deletesFor([DATA], [contentFile(POSITION), contentFile(VECTOR)], SPECS);
    expect([found?.positions.length, found?.vector === null]).toEqual([0, false]);
  });

  it.each<[string, readonly Partial<ContentFile>[], string]>([
    ['in Avro', [{ ...POSITION, format: 'avro' }], 'has the format avro, which is not supported'],
    ['that are encrypted', [{ ...EQUALITY, isEncrypted: true }], 'is encrypted'],
    ['by no column', [{ ...EQUALITY, equalityIds: [] }], 'does not say by which columns'],
    ['in a vector of no file', [{ ...VECTOR, referencedFile: null }], 'does not say which data file'],
    ['in two vectors', [VECTOR, VECTOR], 'two deletion vectors for one data file'],
  ])('deletes %s are refused', (_, files, sentence) => {
    expect(() => deletesFor([DATA], files.map(contentFile), SPECS)).toThrow(sentence);
  });
});
