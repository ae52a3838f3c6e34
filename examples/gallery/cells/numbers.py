# @name numbers
import math

import pandas as pd

months = pd.DataFrame(
    [
        {"month": month, "city": city, "degrees": round(middle + swing * math.sin((month - 4) * math.tau / 12), 1)}
        for city, middle, swing in (("Bergen", 8, 7), ("Cairo", 22, 8), ("Lima", 19, -4))
        for month in range(1, 13)
    ]
)
months.head()
