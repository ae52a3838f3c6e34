# @name ask
# A bird nobody has labelled: change the numbers and only this cell runs.
bird = pd.DataFrame([[46.2, 14.9, 221.0, 5300.0]], columns=FEATURES)
{"species": str(model.predict(bird)[0]), "certainty": round(float(model.predict_proba(bird).max()), 3)}
