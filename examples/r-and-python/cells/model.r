# @name model
fit <- lm(height_m ~ girth_cm, data = trees)
fitted <- data.frame(trees, expected_m = predict(fit))
slope <- coef(fit)[["girth_cm"]]
summary(fit)$r.squared
