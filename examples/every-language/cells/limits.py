# @name limits
# What the statements below bind as :since and :lightest.
since = 2008
lightest = 3000
