# @name bill
lines = [(order["item"], price_of(order)) for order in orders]
total = round(sum(price for _, price in lines), 2)
print(*(f"{item:>6} {price:8.2f}" for item, price in lines), f"{'total':>6} {total:8.2f}", sep="\n")
