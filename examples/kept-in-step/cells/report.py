# @name report
# @mount made file://./made rw
# A writable mount: the folder is made if it is missing, and the cell runs whenever you ask it to.
lines = [f"{month},{count}" for month, count in sorted(per_month.items())]
(made / "months.csv").write_text("month,visitors\n" + "\n".join(lines) + "\n", encoding="utf-8")
print("written", made.name + "/months.csv")
