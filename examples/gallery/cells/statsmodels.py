# @name statsmodels
import statsmodels.formula.api as smf

smf.ols("degrees ~ C(city) + month", months).fit().summary()
