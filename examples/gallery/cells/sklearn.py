# @name scikit-learn
from sklearn.compose import make_column_transformer
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

make_pipeline(make_column_transformer((OneHotEncoder(), ["city"]), (StandardScaler(), ["month"])), Ridge())
