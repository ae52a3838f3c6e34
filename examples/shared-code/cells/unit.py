# @name unit
# The cells below write distances in this unit: "km" or "mi".
unit = "km"
