import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ContentFile } from '../metadata/manifests.ts';
import type { TableFiles } from '../storage/tableFiles.ts';
import { contentFile } from '../testing/contentFile.ts';
import { PYTHON, runPython } from '../testing/pyiceberg.ts';
import { deletedPositions } from './deletionVector.ts';

const BEFORE = 13;

function puffinOf(bitmap: Uint8Array): Buffer {
  const content = Buffer.concat([Buffer.from('d1d33964', 'hex'), bitmap]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.byteLength);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(content));
  return Buffer.concat([Buffer.alloc(BEFORE), length, content, checksum, Buffer.from('footer')]);
}

function vectorOf(file: Buffer, recordCount: number): ContentFile {
  return contentFile({
    content: 'position_deletes',
    path: 's3://b/v.puffin',
    format: 'puffin',
    recordCount: BigInt(recordCount),
    contentOffset: BigInt(BEFORE),
    contentSize: BigInt(file.byteLength - BEFORE - 'footer'.length),
  });
}

function read(file: Buffer, recordCount: number): Promise<readonly bigint[]> {
  const files = { read: async () => file } as unknown as TableFiles; // the only method used
  return deletedPositions(vectorOf(file, recordCount), files, new AbortController().signal);
}

/** Sets as CRoaring writes them: arrays, bits, runs, and positions past 32 bits. */
const MADE = `
import json
from pyroaring import BitMap64
sets = [[], [0], [1, 5, 65535, 65536, 2**32 - 1, 2**32, 2**33 + 7], list(range(0, 20000, 2)), list(range(70000))]
for values in sets:
    for runs in (False, True):
        bitmap = BitMap64(values)
        if runs:
            bitmap.run_optimize()
        print(json.dumps({"bytes": bitmap.serialize().hex(), "values": values}))
`;

describe('[IC-4] deletion vectors', () => {
  it.skipIf(PYTHON === undefined)('give the positions that CRoaring wrote', async () => {
    const rows = (await runPython(['-c', MADE])) as readonly {
      readonly bytes: string;
      readonly values: number[];
    }[]; // above
    expect(rows.length).toBe(10);
    for (const { bytes, values } of rows) {
      const positions = await read(puffinOf(Buffer.from(bytes, 'hex')), values.length);
      expect(positions).toEqual(values.map(BigInt));
    }
  });

  const ONE = Buffer.from(
    `01${'00'.repeat(7)}${'00'.repeat(4)}3a300000010000000000000010000000${'0500'}`,
    'hex',
  );
  it('of one position is read', async () => expect(await read(puffinOf(ONE), 1)).toEqual([5n]));

  it.each<[string, (file: Buffer) => Buffer, number, string]>([
    ['with another number of positions', (file) => file, 2, 'has 1 positions, and its manifest says 2'],
    [
      'with a damaged byte',
      (file) => file.fill(9, BEFORE + 30, BEFORE + 31),
      1,
      'the checksum of the deletion vector is wrong',
    ],
    [
      'with another magic number',
      (file) => file.fill(9, BEFORE + 4, BEFORE + 5),
      1,
      'no deletion vector where its manifest says',
    ],
    [
      'in a file that is truncated',
      (file) => file.subarray(0, BEFORE + 3),
      1,
      'no deletion vector where its manifest says',
    ],
    ['whose bitmap is truncated', () => puffinOf(ONE.subarray(0, -1)), 1, 'it ends too early'],
  ])('%s is refused', async (_, change, count, sentence) => {
    const whole = puffinOf(ONE);
    const file = change(Buffer.from(whole));
    await expect(read(file, count)).rejects.toThrow(sentence);
  });
});
