/** Builds a tiny shared library in memory that makes one system call when it is loaded, for closeMemory.ts. */

/** Machine code, and the machine's number in an ELF header. */
interface Machine {
  readonly elf: number;
  readonly code: readonly number[];
}

/**
 * `prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)` and a return, in machine code: no callee-saved register is changed.
 * Only for Linux, whose system call numbers never change.
 */
const MACHINES: Readonly<Record<string, Machine | undefined>> = {
  x64: {
    elf: 62,
    code: [
      ...[0xbf, 0x04, 0x00, 0x00, 0x00], // mov edi, 4 (PR_SET_DUMPABLE)
      ...[0x31, 0xf6], // xor esi, esi
      ...[0x31, 0xd2], // xor edx, edx
      ...[0x45, 0x31, 0xd2], // xor r10d, r10d
      ...[0x45, 0x31, 0xc0], // xor r8d, r8d
      ...[0xb8, 0x9d, 0x00, 0x00, 0x00], // mov eax, 157 (prctl)
      ...[0x0f, 0x05], // syscall
      0xc3, // ret
    ],
  },
  arm64: {
    elf: 183,
    code: [
      ...[0x80, 0x00, 0x80, 0xd2], // mov x0, #4 (PR_SET_DUMPABLE)
      ...[0x01, 0x00, 0x80, 0xd2], // mov x1, #0
      ...[0x02, 0x00, 0x80, 0xd2], // mov x2, #0
      ...[0x03, 0x00, 0x80, 0xd2], // mov x3, #0
      ...[0x04, 0x00, 0x80, 0xd2], // mov x4, #0
      ...[0xe8, 0x14, 0x80, 0xd2], // mov x8, #167 (prctl)
      ...[0x01, 0x00, 0x00, 0xd4], // svc #0
      ...[0xc0, 0x03, 0x5f, 0xd6], // ret
    ],
  },
};

/** The largest page size of these machines: segments must not share a page. */
const PAGE = 0x10000;
const HEADER = 64;
const SEGMENT = 56;
const AT = { code: 0x140, strings: 0x180, symbols: 0x190, hash: 0x1b0, dynamic: 0x200 } as const;
const DYNAMIC: readonly (readonly [tag: number, value: number])[] = [
  [12, AT.code], // DT_INIT: called when the library is loaded
  [4, AT.hash], // DT_HASH
  [5, AT.strings], // DT_STRTAB
  [6, AT.symbols], // DT_SYMTAB
  [10, 1], // DT_STRSZ
  [11, 24], // DT_SYMENT
  [0, 0],
];
const SIZE = AT.dynamic + DYNAMIC.length * 16;

/**
 * A shared library of one function, which is called on loading and makes the process not dumpable. It needs
 * neither other libraries nor a compiler. Null for unsupported machines.
 */
export function oneCallLibrary(arch: string): Buffer | null {
  const machine = MACHINES[arch];
  if (machine === undefined) return null;
  const bytes = Buffer.alloc(SIZE);
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1], 0); // ELF, 64 bits, little endian
  bytes.writeUInt16LE(3, 16); // a shared library
  bytes.writeUInt16LE(machine.elf, 18);
  bytes.writeUInt32LE(1, 20);
  bytes.writeBigUInt64LE(BigInt(HEADER), 32); // where the segments are listed
  bytes.writeUInt16LE(HEADER, 52);
  bytes.writeUInt16LE(SEGMENT, 54);
  bytes.writeUInt16LE(4, 56);
  const segments: readonly Segment[] = [
    { type: 1, flags: 5, from: 0, size: AT.dynamic, shift: 0 }, // read and run
    { type: 1, flags: 6, from: AT.dynamic, size: SIZE - AT.dynamic, shift: PAGE }, // read and write
    { type: 2, flags: 6, from: AT.dynamic, size: SIZE - AT.dynamic, shift: PAGE }, // the dynamic section
    { type: 0x6474e551, flags: 6, from: 0, size: 0, shift: 0 }, // a stack that cannot be run
  ];
  for (const [i, segment] of segments.entries()) writeSegment(bytes, HEADER + i * SEGMENT, segment);
  bytes.set(machine.code, AT.code);
  bytes.writeUInt32LE(1, AT.hash); // one bucket, one symbol: the empty one
  bytes.writeUInt32LE(1, AT.hash + 4);
  for (const [i, [tag, value]] of DYNAMIC.entries()) {
    bytes.writeBigUInt64LE(BigInt(tag), AT.dynamic + i * 16);
    bytes.writeBigUInt64LE(BigInt(value), AT.dynamic + i * 16 + 8);
  }
  return bytes;
}

interface Segment {
  readonly type: number;
  readonly flags: number;
  readonly from: number;
  readonly size: number;
  /** The difference between its address and its offset in the file. */
  readonly shift: number;
}

function writeSegment(bytes: Buffer, at: number, { type, flags, from, size, shift }: Segment): void {
  bytes.writeUInt32LE(type, at);
  bytes.writeUInt32LE(flags, at + 4);
  bytes.writeBigUInt64LE(BigInt(from), at + 8);
  bytes.writeBigUInt64LE(BigInt(from + shift), at + 16);
  bytes.writeBigUInt64LE(BigInt(from + shift), at + 24);
  bytes.writeBigUInt64LE(BigInt(size), at + 32);
  bytes.writeBigUInt64LE(BigInt(size), at + 40);
  bytes.writeBigUInt64LE(BigInt(type === 1 ? PAGE : 8), at + 48);
}
