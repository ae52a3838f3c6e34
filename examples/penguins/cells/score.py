# @name score
from sklearn.metrics import accuracy_score, confusion_matrix

predicted = model.predict(X_test)
accuracy = float(accuracy_score(y_test, predicted))
confusion = pd.DataFrame(
    confusion_matrix(y_test, predicted, labels=model.classes_), index=model.classes_, columns=model.classes_
)
print(f"right {accuracy:.1%} of the time")
confusion
