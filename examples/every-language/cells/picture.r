# @name picture
colours <- c("sienna", "steelblue", "darkgreen")
kind <- factor(fitted$species)
plot(fitted$flipper_mm, fitted$mass_g,
  col = colours[kind], pch = 19,
  xlab = "flipper in mm", ylab = "mass in g", main = "Penguins"
)
for (one in levels(kind)) {
  these <- fitted[fitted$species == one, ]
  these <- these[order(these$flipper_mm), ]
  lines(these$flipper_mm, these$expected_g, col = colours[match(one, levels(kind))])
}
legend("topleft", levels(kind), col = colours, pch = 19)
