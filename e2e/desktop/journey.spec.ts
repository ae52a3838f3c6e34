import { type Hands, KEYS, MOUSE, mainJourney } from '../support/mainJourney.ts';
import { type Started, sharedPackages, test } from './desktopApp.ts';

/**
 * Tests the main journey in the packaged app, whose examples are copied into the user's storage folder. In the
 * app, menus handle keys first, so a normal run tests the journey by keys, and only here.
 */
const WAYS: readonly (readonly [string, Hands])[] = [
  ['[WI-4] [DK-6] by mouse', MOUSE],
  ['[WI-4] [ED-2] by keys alone', KEYS],
];
for (const [name, hands] of WAYS) {
  test(`${name}: opens an example, runs all, edits, asks why, runs, quits, starts again, and all cells are hits`, async ({
    start,
  }) => {
    test.skip(
      hands === MOUSE && process.env['LONG'] !== '1',
      'by keys alone in this run: by mouse in npm run test:long',
    );
    test.setTimeout(400_000);
    let started: Started | null = null;
    await mainJourney(
      {
        inElectron: true,
        async start() {
          started = await start({ env: sharedPackages() });
          return started.page;
        },
        quit: async () => started?.quit(),
      },
      hands,
    );
  });
}
