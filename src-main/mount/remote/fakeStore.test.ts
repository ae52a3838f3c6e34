/** The object store in memory that other tests use: it keeps the contract of the real stores. */

import { createFakeStore } from './testing/fakeStore.ts';
import { storeContract } from './testing/storeContract.ts';

storeContract('a store in memory', async () => createFakeStore(), 2);
