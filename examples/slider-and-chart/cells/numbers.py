# @name numbers
crossings = sum(1 for before, after in zip(wave, wave[1:]) if before * after < 0)
Markdown(f"| highest | lowest | zero crossings |\n|---:|---:|---:|\n| {max(wave):.3f} | {min(wave):.3f} | {crossings} |")
