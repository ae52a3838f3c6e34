# @name orders
orders = [
    {"item": "cup", "count": 12, "price": 4.50},
    {"item": "plate", "count": 6, "price": 7.25},
    {"item": "spoon", "count": 40, "price": 1.10},
]
