# @name split
from sklearn.model_selection import train_test_split

X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.25, random_state=7, stratify=y)
print(len(X_train), "to learn from,", len(X_test), "to be asked about")
