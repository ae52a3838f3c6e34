# @name tqdm
from tqdm.notebook import tqdm

for _ in tqdm(range(50), desc="Work"):
    pass
