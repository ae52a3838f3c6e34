# Runs renv in a notebook's folder: `environment.R <verb> <result> <library> <lock> <tools> [package]`.
#
# A failure leaves no half-changed files, except for `init`, whose caller keeps copies:
#   where               print which R this is and where the project's library is; changes nothing
#   restore             install everything in renv.lock into <library>
#   add <package>       install into <library>, write the new lockfile to <lock>
#   init                make the project an renv project, install what its R cells use, write the lockfile to <lock>
# <tools> is our own library with renv, used if this R has none. Facts are written to <result>, one `key<TAB>value` per
# line; after a failure, the key `error`. Other output is renv's own.

main <- function(verb, result, library, lock, tools, package) {
  options(renv.consent = TRUE, warn = 1, repos = repositories(), timeout = max(300, getOption("timeout")))
  said <- c(r_version = paste0(R.version$major, ".", R.version$minor), platform = R.version$platform)
  failed <- tryCatch(
    {
      if (verb != "where") need_renv(file.path(tools, paste0("R-", said[["r_version"]], "-", R.version$platform)))
      said["library"] <- project_library(verb != "where")
      if (verb != "where") do_verb(verb, if (verb == "init") said[["library"]] else library, lock, package)
      NULL
    },
    error = function(e) conditionMessage(e)
  )
  if (!is.null(failed)) said["error"] <- failed
  text <- gsub("[\t\r\n]+", " ", enc2utf8(said))
  writeLines(paste0(names(said), "\t", text), result, useBytes = TRUE)
  if (is.null(failed)) 0L else 1L
}

do_verb <- function(verb, library, lock, package) {
  dir.create(library, recursive = TRUE, showWarnings = FALSE)
  project <- getwd()
  .libPaths(c(library, .libPaths()))
  if (verb == "restore") {
    renv::restore(project = project, library = library, lockfile = "renv.lock", prompt = FALSE)
    return(invisible())
  }
  if (verb == "init") {
    renv::init(project = project, bare = TRUE, restart = FALSE)
    .libPaths(c(library, .libPaths()))
    install_used(project, library)
  } else {
    renv::install(package, library = library, prompt = FALSE, project = project)
    if (!dir.exists(file.path(library, package))) stop("renv did not install ", package, call. = FALSE)
  }
  renv::snapshot(
    project = project, library = library, lockfile = lock, type = "all", prompt = FALSE, force = TRUE
  )
  if (!file.exists(lock)) stop("renv wrote no lock", call. = FALSE)
}

# A package that is not available does not stop the others: it is reported here, and again by its cell.
install_used <- function(project, library) {
  used <- tryCatch(renv::dependencies(file.path(project, "cells"), progress = FALSE)$Package, error = function(e) {
    message("The cells could not be looked through: ", conditionMessage(e))
    character()
  })
  here <- rownames(utils::installed.packages(.Library))
  for (name in setdiff(unique(used), c("renv", here))) {
    tryCatch(
      renv::install(name, library = library, prompt = FALSE, project = project),
      error = function(e) message("Left out: ", name, " could not be installed: ", conditionMessage(e))
    )
  }
}

# The library path as reported by renv; without renv, the path it would use.
project_library <- function(with_renv) {
  version <- paste0("R-", R.version$major, ".", sub("[.].*", "", R.version$minor))
  if (with_renv) return(renv::paths$library(project = getwd()))
  places <- c(
    Sys.glob(file.path("renv", "library", "*", version, R.version$platform)),
    file.path("renv", "library", version, R.version$platform)
  )
  file.path(getwd(), c(places[dir.exists(places)], places[length(places)])[1])
}

need_renv <- function(tools) {
  dir.create(tools, recursive = TRUE, showWarnings = FALSE)
  .libPaths(c(tools, .libPaths()))
  if (requireNamespace("renv", quietly = TRUE)) return(invisible())
  message("renv is not there; fetching it.")
  reasons <- character()
  withCallingHandlers(
    tryCatch(
      utils::install.packages("renv", lib = tools, quiet = TRUE),
      error = function(e) reasons <<- c(reasons, conditionMessage(e))
    ),
    warning = function(w) reasons <<- c(reasons, conditionMessage(w))
  )
  if (requireNamespace("renv", quietly = TRUE)) return(invisible())
  why <- if (length(reasons) > 0L) paste0(" (", reasons[1], ")") else ""
  stop(
    "R ", R.version$major, ".", R.version$minor, " has no renv, and it could not be fetched", why,
    ". Go online and try again, or install it yourself: install.packages(\"renv\") in R.",
    call. = FALSE
  )
}

# From renv's settings, else from this R's settings, else the first mirror in R's own list.
repositories <- function() {
  override <- Sys.getenv("RENV_CONFIG_REPOS_OVERRIDE")
  if (nzchar(override)) return(c(CRAN = override))
  now <- getOption("repos")
  if (!any(now == "@CRAN@")) return(now)
  now[now == "@CRAN@"] <- utils::getCRANmirrors(local.only = TRUE)$URL[1]
  now
}

arguments <- commandArgs(trailingOnly = TRUE)
status <- main(
  arguments[1], arguments[2], arguments[3], arguments[4], arguments[5],
  if (length(arguments) > 5L) arguments[6] else ""
)
quit(save = "no", status = status, runLast = FALSE)
