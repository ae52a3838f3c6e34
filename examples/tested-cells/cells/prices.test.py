import pytest


@pytest.mark.parametrize("count, price", [(1, 2.0), (9, 18.0), (10, 18.0), (20, 36.0)])
def test_many_are_cheaper(cell, count, price):
    assert cell.price_of({"item": "cup", "count": count, "price": 2.0}) == price


def test_nothing_costs_nothing(cell):
    assert cell.price_of({"item": "cup", "count": 0, "price": 2.0}) == 0
