# Both are pyarrow tables; a dict of columns is all this needs.
birds = heavy.to_pydict()
seen = visits.to_pylist()[0]
for species, count, mass in zip(birds["species"], birds["birds"], birds["mean_mass"]):
    print(f"{count} {species} of {mass} g on {island}")
print(f"{seen['visits']} visits by {seen['people']} people")
