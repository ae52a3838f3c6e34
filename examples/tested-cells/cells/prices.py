# @name prices
DISCOUNT = 0.10
MANY = 10


def price_of(order):
    """What an order costs: many of one thing are cheaper."""
    whole = order["count"] * order["price"]
    return round(whole * (1 - DISCOUNT) if order["count"] >= MANY else whole, 2)
