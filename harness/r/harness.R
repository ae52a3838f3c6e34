# Entry point of the R harness: `harness.R once <manifest>` runs a manifest immediately; `harness.R spare` waits for the
# path of a manifest on standard input and prints `ready` before. Both print `started` before the cell runs; everything
# printed after that belongs to the cell.

main <- function(arguments) {
  options(warn = 1, keep.source = TRUE, echo = FALSE, device = NULL, browserNLdisabled = TRUE)
  harness <- new.env(parent = baseenv())
  # Compiling the functions of the harness takes longer than all that most runs do with them; the cell's own are compiled.
  harness$JIT_OF_CELLS <- compiler::enableJIT(0L)
  here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1]))
  for (file in list.files(file.path(here, "svc_harness"), "[.]R$", full.names = TRUE)) {
    sys.source(file, envir = harness, keep.source = FALSE)
  }
  if (arguments[1] == "names") return(harness$answer_names())
  manifest <- if (arguments[1] == "spare") wait_for_manifest(harness) else arguments[2]
  if (length(manifest) == 0L) return(0L)
  cat("started\n")
  harness$run_manifest(manifest)
}

wait_for_manifest <- function(harness) {
  harness$warm_up()
  cat("ready\n")
  input <- file("stdin", "r")
  on.exit(close(input))
  readLines(input, 1L, encoding = "UTF-8")
}

quit(save = "no", status = main(commandArgs(trailingOnly = TRUE)), runLast = FALSE)
