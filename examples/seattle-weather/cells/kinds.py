# @name kinds
kinds = weather["weather"].value_counts(normalize=True).mul(100).round(1).rename("percent").reset_index()
print(kinds.to_string(index=False))
