/**
 * The error for a file or folder in an untrusted notebook folder that is not read or written, because it is a link, for
 * example.
 */
/** Why it is refused. */
type RefusalKind = 'link' | 'not plain' | 'too long' | 'moved' | 'other disk' | 'not a folder';

/** The error codes, the same as the system's own, so that the same handlers apply. */
const CODES: Readonly<Record<RefusalKind, string>> = {
  link: 'ELOOP',
  'not plain': 'EINVAL',
  'too long': 'EFBIG',
  moved: 'ESTALE',
  'other disk': 'EXDEV',
  'not a folder': 'ENOTDIR',
};

const REASONS: Readonly<Record<RefusalKind, string>> = {
  link: 'is a link. Only what is in the folder itself is read and written: put the file or folder itself there, or remove the link',
  'not plain': 'is not a plain file. Move it away',
  'too long': 'is too long to be read. Move it away',
  moved: 'was moved while it was being used. Try again',
  'other disk': 'is on another disk than the folder it is in, and is not deleted with it. Unmount it',
  'not a folder': 'is a file where a folder belongs. Move it away',
};

/** A file or folder below a guarded folder that is refused, with what to do about it. */
export class PlaceRefusal extends Error {
  readonly kind: RefusalKind;
  readonly code: string;
  readonly path: string;
  readonly syscall = 'open';
  /** The size of a file that is too long. */
  readonly bytes: number | null;

  constructor(kind: RefusalKind, path: string, bytes: number | null = null) {
    super(`${path} ${REASONS[kind]}.`);
    this.name = 'PlaceRefusal';
    this.kind = kind;
    this.code = CODES[kind];
    this.path = path;
    this.bytes = bytes;
  }
}

export function isLinkRefusal(error: unknown): error is PlaceRefusal {
  return error instanceof PlaceRefusal && error.kind === 'link';
}
