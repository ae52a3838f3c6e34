# @name model
from sklearn.ensemble import RandomForestClassifier

model = RandomForestClassifier(n_estimators=300, random_state=7).fit(X_train, y_train)
model
