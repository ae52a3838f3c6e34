# @name model
fit <- lm(mass_g ~ flipper_mm + species, data = birds)
fitted <- data.frame(birds, expected_g = predict(fit))
fitted$days <- days$days[match(fitted$year, days$year)]
line <- as.list(coef(fit))
kinds <- sort(unique(birds$species))
cat(nrow(fitted), "birds, R squared", format(summary(fit)$r.squared, digits = 3), "\n")
