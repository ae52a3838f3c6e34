# Calls functions once before a cell starts, so that it does not pay for loading packages.

warm_up <- function() {
  folder <- tempfile("warm_up")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  frame <- data.frame(a = 1:2, b = c("x", NA), c = c(1.5, NA))
  arrow_write(frame, file.path(folder, "t.arrow"))
  arrow_read(file.path(folder, "t.arrow"))
  json_read(json_write(list(a = 1L, b = c("x", "y"), c = list(1.5, "z"))))
  invisible(utils::capture.output(print(frame)))
}
