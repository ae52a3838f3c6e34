def test_every_order_is_on_the_bill(cell):
    assert [item for item, _ in cell.lines] == [order["item"] for order in cell.orders]


def test_the_total_is_the_sum_of_its_lines(cell):
    assert cell.total == round(sum(price for _, price in cell.lines), 2)
    assert cell.total > 0
