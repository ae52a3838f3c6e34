# @name chart
plot(fitted$girth_cm, fitted$height_m,
  col = c("sienna", "darkgreen")[fitted$kind], pch = 19,
  xlab = "girth in cm", ylab = "height in m", main = "Sixty trees"
)
lines(sort(fitted$girth_cm), fitted$expected_m[order(fitted$girth_cm)])
legend("topleft", levels(fitted$kind), col = c("sienna", "darkgreen"), pch = 19)
