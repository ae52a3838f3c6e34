# @name wave
import math

SHAPES = {
    "sine": math.sin,
    "square": lambda angle: math.copysign(1, math.sin(angle)),
    "saw": lambda angle: 2 * ((angle / math.tau) % 1) - 1,
}

times = [step / 480 for step in range(481)]
wave = [math.exp(-4 * damping * t) * SHAPES[shape](math.tau * cycles * t) for t in times]
print(f"{len(wave)} points, {cycles} cycles, damping {damping:g}")
