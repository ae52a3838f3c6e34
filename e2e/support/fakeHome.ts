/**
 * The fake server's data for the home page: open, discovered and valid notebooks, and examples. All of it is set by the
 * test.
 */
import type * as z from 'zod';
import { ROUTES } from '../../src-shared/wire/routes/all.ts';
import { type FakeAnswers, refusal } from './fakeServer.ts';

type Found = z.input<typeof ROUTES.discoverNotebooks.response>['notebooks'][number];
type Session = z.input<typeof ROUTES.listSessions.response>['sessions'][number];
type Example = z.input<typeof ROUTES.listExamples.response>['examples'][number];

export function sessionAt(path: string, name: string): Session {
  return { session_id: `s-${name}`, name, path, notebook_id: name, created_at: null, updated_at: null };
}

export function foundAt(path: string, name: string | null, updatedAt: string | null = null): Found {
  return { path, name, notebook_id: name, updated_at: updatedAt };
}

export const THREE_EXAMPLES: readonly Example[] = [
  {
    name: 'first-steps',
    path: '/opt/cellar/examples/first-steps',
    title: 'First steps',
    about: 'Cells, what they keep, and why the second run is free.',
    cells: 6,
  },
  {
    name: 'penguins',
    path: '/opt/cellar/examples/penguins',
    title: 'Penguins',
    about: 'A table of penguins, filtered, grouped and drawn.',
    cells: 8,
  },
  {
    name: 'seattle-weather',
    path: '/opt/cellar/examples/seattle-weather',
    title: 'Seattle weather',
    about: 'Four years of weather: a year in one figure.',
    cells: 7,
  },
];

/** The notebooks and examples on the machine of a test; requests of the page change them. */
export interface FakeWorld {
  root: string | null;
  sessions: readonly Session[];
  found: readonly Found[];
  examples: readonly Example[];
  /** Paths that no longer contain a notebook. */
  readonly gone: Set<string>;
  pythons: readonly string[];
}

export function emptyWorld(): FakeWorld {
  return {
    root: '/home/me/notebooks',
    sessions: [],
    found: [],
    examples: [],
    gone: new Set(),
    pythons: ['3.12', '3.13'],
  };
}

/** Answers for the routes of the home page, from a world. */
export function homeAnswers(world: FakeWorld): FakeAnswers {
  const forget = (path: string): void => {
    world.gone.add(path);
    world.sessions = world.sessions.filter((one) => one.path !== path);
    world.found = world.found.filter((one) => one.path !== path);
  };
  const sessionOf = (sid: string | undefined): Session | undefined =>
    world.sessions.find((one) => one.session_id === sid);
  return {
    listSessions: () => ({ sessions: world.sessions }),
    discoverNotebooks: () => ({ root: world.root, notebooks: world.found }),
    validateRecents: ({ body }) => {
      const { paths } = ROUTES.validateRecents.body.parse(body);
      return { valid: paths.filter((path) => !world.gone.has(path)) };
    },
    getConfig: () => ({
      deployment_mode: 'personal',
      default_parent_path: '/home/me/notebooks',
      available_python_versions: world.pythons,
      default_python_version: world.pythons.at(-1) ?? '3.13',
      python_selection_fixed: world.pythons.length < 2,
      registry_enabled: true,
      team_store_configured: false,
    }),
    listExamples: () => ({ examples: world.examples }),
    openExample: ({ params }) => {
      const path = world.examples.find((one) => one.name === params['name'])?.path;
      return path === undefined ? refusal(404, 'No such example') : { path };
    },
    closeNotebook: ({ params }) => {
      const session = sessionOf(params['sid']);
      if (session === undefined) return refusal(404, 'Notebook not found');
      world.sessions = world.sessions.filter((one) => one !== session);
      return { closed: true, session_id: session.session_id, path: session.path };
    },
    deleteNotebook: ({ params }) => {
      const session = sessionOf(params['sid']);
      if (session === undefined) return refusal(404, 'Notebook not found');
      forget(session.path);
      return { deleted: true, session_id: session.session_id, name: session.name, path: session.path };
    },
    deleteNotebookByPath: ({ body }) => {
      const { path } = ROUTES.deleteNotebookByPath.body.parse(body);
      forget(path);
      return { deleted: true, path };
    },
  };
}
