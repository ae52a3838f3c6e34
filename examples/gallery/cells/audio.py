# @name audio
import numpy as np
from IPython.display import Audio

Audio(np.sin(np.linspace(0, 440 * 2 * np.pi, 8000)), rate=8000)
