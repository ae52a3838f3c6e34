# @name great_tables
from great_tables import GT, md

(
    GT(months[months.month.isin([1, 7])], groupname_col="city")
    .tab_header(title="Winter and summer", subtitle=md("*degrees Celsius*"))
    .fmt_number("degrees", decimals=1)
    .data_color("degrees", palette=["#4c78a8", "white", "#f58518"])
)
