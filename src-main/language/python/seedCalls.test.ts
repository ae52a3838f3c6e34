import { describe, expect, it } from 'vitest';
import { loadPythonAnalyzer } from './analyzer.ts';

const analyzer = await loadPythonAnalyzer();

/** A program → its seed calls, as `line call`. */
const ROWS: readonly (readonly [source: string, expected: readonly string[]])[] = [
  ['import random\nrandom.seed(1)', ['2 random.seed']],
  ['import random as r\nr.seed(1)\nr.random()', ['2 r.seed']],
  ['from random import seed\n\nseed(3)', ['3 seed']],
  ['import numpy as np\nnp.random.seed(0)', ['2 np.random.seed']],
  ['import numpy.random\nnumpy.random.seed(0)', ['2 numpy.random.seed']],
  ['from numpy import random\nrandom.seed(0)', ['2 random.seed']],
  ['import torch\nif True:\n    torch.manual_seed(1)', ['3 torch.manual_seed']],
  ['import torch\ntorch.cuda.manual_seed_all(1)', ['2 torch.cuda.manual_seed_all']],
  ['import tensorflow as tf\ntf.random.set_seed(1)', ['2 tf.random.set_seed']],
  // A separate generator is not shared by the process.
  ['import numpy as np\nrng = np.random.default_rng(0)', []],
  ['import random\nrng = random.Random(1)\nrng.seed(2)', []],
  ['import bulbs\nbulbs.seed(1)', []],
  ['import numpy as np\nseed = 1\nstate = np.random.get_state()', []],
  ['x = 1', []],
];

describe('[SO-171] seeds of the process', () => {
  for (const [source, expected] of ROWS) {
    it(JSON.stringify(source), () => {
      const { seedCalls } = analyzer.analyze(source);
      expect(seedCalls.map(({ call, line }) => `${line} ${call}`)).toEqual(expected);
    });
  }
});
