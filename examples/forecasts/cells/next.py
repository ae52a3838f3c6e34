# @name next year
best = min(miss, key=miss.get)
coming = max(forecast[best])
print(f"{coming}: {forecast[best][coming]:.1f} spots, says {best}")
