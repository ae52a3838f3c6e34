# @name itables
import itables

itables.show(months, maxBytes=0)
