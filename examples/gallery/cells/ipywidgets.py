# @name ipywidgets
import ipywidgets


@ipywidgets.interact(base=(2, 12), power=(0, 5))
def raised(base=2, power=3):
    print(f"{base} to the power of {power} is {base**power}")
