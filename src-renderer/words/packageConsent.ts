/** UI texts about the packages that an imported notebook requires. */
export const PACKAGE_CONSENT_WORDS = {
  every: 'all packages',
  kind: {
    index: 'from the package index',
    other_index: 'from another package index:',
    url: 'from a URL:',
    path: 'from a path:',
    repository: 'from a Git repository:',
    build: 'built from source',
  },
  summary: (all: number, elsewhere: number): string =>
    `Requires ${all === 1 ? '1 package' : `${all} packages`}${
      elsewhere === 0
        ? '.'
        : `, ${elsewhere === all ? '' : `${elsewhere} of them `}not from the package index.`
    }`,
  waiting: (count: number): string =>
    `${count === 1 ? '1 package of this imported notebook is' : `${count} packages of this imported notebook are`} not installed. Building or downloading packages can run their code.`,
  review: 'Review packages…',
  title: 'Install these packages?',
  means:
    'These packages are built from source or do not come from the package index. Installing them can run their code with your permissions.',
  allow: 'Install',
  notNow: 'Not now',
  running: 'The environment is still being prepared. Install the packages when it is ready.',
} as const;
