# Runs one R cell: `harness.R once <manifest>` at once, `harness.R spare` for the manifest named on standard input.
# A spare says `ready` on its output when it is; both say `started` before anything of the cell runs. What follows on
# the two outputs is the cell's.

main <- function(arguments) {
  options(warn = 1, keep.source = TRUE, echo = FALSE, device = NULL, browserNLdisabled = TRUE)
  harness <- new.env(parent = baseenv())
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
  harness$rehearse()
  cat("ready\n")
  input <- file("stdin", "r")
  on.exit(close(input))
  readLines(input, 1L, encoding = "UTF-8")
}

quit(save = "no", status = main(commandArgs(trailingOnly = TRUE)), runLast = FALSE)
