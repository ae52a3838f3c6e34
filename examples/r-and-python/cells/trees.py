# @name trees
import random

import pyarrow as pa

draw = random.Random(7)
girths = [round(draw.uniform(20, 60), 1) for _ in range(60)]
trees = pa.table(
    {
        "girth_cm": girths,
        "height_m": [round(4 + 0.35 * girth + draw.gauss(0, 1.5), 1) for girth in girths],
        "kind": pa.array([draw.choice(["oak", "beech"]) for _ in girths]).dictionary_encode(),
    }
)
