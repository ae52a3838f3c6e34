import fc from 'fast-check';

/**
 * A set-up file of the test runner. In `npm test` every property draws the same inputs each time, so that a result
 * depends on the change and not on chance; `npm run test:long` (LONG=1) draws new inputs to find further bugs.
 */
const SEED = 20_261_125;

if (process.env['LONG'] !== '1') fc.configureGlobal({ seed: SEED });
