import type { PackageSource } from '../../../src-shared/wire/environment.ts';

/** Packages that a notebook from elsewhere asks for. */
export const ASKED_WORDS = {
  every: 'every package',
  kind: {
    index: 'from the package index',
    other_index: 'from another index:',
    url: 'from an address:',
    path: 'from a path:',
    repository: 'from a repository:',
    build: 'built from source',
  } satisfies Record<PackageSource['kind'], string>,
  summary: (all: number, elsewhere: number): string =>
    `It asks for ${all === 1 ? '1 package' : `${all} packages`}${
      elsewhere === 0
        ? '.'
        : `, ${elsewhere === all ? '' : `${elsewhere} of them `}not from the package index.`
    }`,
  waiting: (count: number): string =>
    `${count === 1 ? '1 package of this imported notebook is' : `${count} packages of this imported notebook are`} not installed: building or fetching them may run their code.`,
  review: 'Review packages…',
  title: 'Install these packages?',
  means:
    'They are built from source, or come from elsewhere than the package index. Installing them can run code of theirs in your name.',
  allow: 'Install',
  notNow: 'Not now',
  running: 'The environment is being prepared. Install them when that has ended.',
} as const;
