# Runs one cell from its manifest and writes its result (harness/CONTRACT.md).

run_manifest <- function(path) {
  manifest <- json_read(read_text(path))
  folder <- manifest$output_dir
  displays <- displays_new(folder)
  outcome <- tryCatch(
    run_cell(manifest, displays),
    svc_coded = function(e) failure(conditionMessage(e), "", e$code),
    interrupt = function(e) failure("Interrupted", ""),
    error = function(e) failure(conditionMessage(e), "")
  )
  outcome$displays <- tryCatch(displays_end(displays), error = function(e) list())
  write_result(folder, outcome)
  if (outcome$success) 0L else 1L
}

failure <- function(error, traceback, code = NULL) {
  c(list(success = FALSE, error = error, traceback = traceback), if (!is.null(code)) list(error_code = code))
}

run_cell <- function(manifest, displays) {
  if (length(manifest$env) > 0L) do.call(Sys.setenv, manifest$env)
  if (!is.null(manifest$cwd)) setwd(manifest$cwd)
  use_project_library()
  started <- proc.time()[["elapsed"]]
  given <- bind_inputs(manifest)
  tools <- cell_tools(displays)
  attach(tools, name = "cellar", warn.conflicts = FALSE)
  displays_catch_plots(displays)
  name <- if (is.null(manifest$cell_name)) "cell" else manifest$cell_name
  failed <- evaluate(manifest$source, name, tools$display)
  if (!is.null(failed)) return(failed)
  ended <- if (!is.null(manifest$loop)) until_reached(manifest$loop$until_expr)
  most <- most_bytes(manifest$unread, proc.time()[["elapsed"]] - started)
  list(success = TRUE, variables = exports(manifest, given, most), warnings = deleted_inputs(given), loop = ended)
}

# Whether a loop's `until` expression, evaluated in the cell's namespace, is true for R's `if`.
until_reached <- function(expression) {
  if (is.null(expression)) return(list(until_reached = FALSE))
  tryCatch(
    list(until_reached = if (eval(parse(text = expression), globalenv())) TRUE else FALSE),
    error = function(e) list(until_reached = FALSE, error = conditionMessage(e))
  )
}

# Put the library renv uses in the notebook's folder first; renv itself does not run.
use_project_library <- function() {
  version <- paste0("R-", R.version$major, ".", sub("[.].*", "", R.version$minor))
  places <- c(
    file.path("renv", "library", version, R.version$platform),
    Sys.glob(file.path("renv", "library", "*", version, R.version$platform))
  )
  found <- places[dir.exists(places)]
  if (length(found) > 0L) .libPaths(c(normalizePath(found), .libPaths()))
}

# Bind inputs, mounts and tables in the cell's namespace.
bind_inputs <- function(manifest) {
  for (name in names(manifest$inputs)) {
    tryCatch(
      assign(name, read_input(manifest$inputs[[name]], manifest$output_dir), envir = globalenv()),
      error = function(e) {
        if (is.null(e$code)) return(message("`", name, "` could not be read: ", conditionMessage(e)))
        stop_with(e$code, paste0("`", name, "` cannot be read in R: ", conditionMessage(e), "."))
      }
    )
  }
  for (name in names(manifest$mounts)) assign(name, manifest$mounts[[name]]$local_path, envir = globalenv())
  for (name in names(manifest$tables)) {
    assign(name, manifest$tables[[name]]$uri, envir = globalenv())
    assign(paste0(name, "_snapshot"), manifest$tables[[name]]$snapshot_id, envir = globalenv())
  }
  as.list(globalenv(), all.names = TRUE)
}

# Evaluate the source as R's prompt would; returns the failure or NULL. `show` displays values other than text.
evaluate <- function(source, cellName, show) {
  label <- paste0("<cell ", cellName, ">")
  lines <- strsplit(source, "\r\n|\r|\n")[[1]]
  parsed <- tryCatch(
    parse(text = lines, keep.source = TRUE, srcfile = srcfilecopy(label, lines)),
    error = function(e) failure(paste0("Syntax error: ", conditionMessage(e)), "")
  )
  if (is.list(parsed)) return(parsed)
  at <- new.env(parent = emptyenv())
  places <- attr(parsed, "srcref")
  compiler::enableJIT(JIT_OF_CELLS)
  on.exit(compiler::enableJIT(0L))
  tryCatch(
    withCallingHandlers(
      for (i in seq_along(parsed)) {
        at$line <- as.integer(places[[i]])[1]
        show_value(withVisible(eval(parsed[[i]], globalenv())), show)
      },
      error = function(e) if (!inherits(e, "svc_quit")) at$calls <- sys.calls()
    ),
    svc_quit = function(e) if (e$status != 0) failure(paste0("The cell ended with quit(status = ", e$status, ")."), ""),
    interrupt = function(e) failure("Interrupted", paste0("Interrupted in ", label, ", line ", at$line)),
    error = function(e) described(e, label, at)
  )
}

show_value <- function(value, show) {
  if (!value$visible) return(invisible())
  if (inherits(value$value, "svc_markdown")) return(show(value$value))
  if (isS4(value$value)) methods::show(value$value) else print(value$value)
  invisible()
}

# The message with its call, followed by the traceback: the cell's own calls, each with its line.
described <- function(e, label, at) {
  message <- conditionMessage(e)
  call <- conditionCall(e)
  calls <- own_calls(at$calls)
  isOwn <- is.null(call) || identical(call[[1]], quote(eval)) || identical(call[[1]], quote(withVisible))
  error <- if (isOwn) paste0("Error: ", message) else paste0("Error in ", call_text(call), ": ", message)
  lines <- vapply(calls, function(call) {
    place <- attr(call, "srcref")
    if (is.null(place)) paste0("  ", call_text(call)) else sprintf("  line %d: %s", as.integer(place)[1], call_text(call))
  }, "")
  failure(error, paste(c(error, sprintf("At line %d of %s", at$line, label), lines), collapse = "\n"))
}

# The calls between the harness's own and those that signal the error.
own_calls <- function(calls) {
  texts <- vapply(calls, function(call) call_text(call), "")
  first <- which(startsWith(texts, "eval(parsed[[i]], globalenv())"))
  if (length(first) == 0L) return(list())
  # eval appears twice: as a call, and as the frame it creates.
  from <- first[length(first)] + 2L
  last <- which(grepl("^(h\\(simpleError|[.]handleSimpleError|stop\\(|stop[(]structure|[(]function \\(e\\))", texts))
  to <- if (any(last >= from)) min(last[last >= from]) - 1L else length(calls)
  if (to < from) list() else utils::tail(calls[from:to], 20L)
}

call_text <- function(call) {
  text <- paste(trimws(deparse(call, nlines = 2L)), collapse = " ")
  if (nchar(text) > 100L) paste0(substr(text, 1L, 97L), "...") else text
}

# Size limit for a value that no cell reads yet, after the given run time; no limit for values that are read.
most_bytes <- function(unread, ran) {
  if (is.null(unread)) Inf else max(unread$bytes, unread$bytes_per_second * ran)
}

# Number of parts of a value to search for environments: searching all may take longer than storing the value.
MAX_PARTS <- 1e5

# `object.size` ignores the contents of an environment, which are stored too: a value with one exceeds any limit.
is_within <- function(value, most) {
  if (most == Inf) return(TRUE)
  if (as.numeric(utils::object.size(value)) > most) return(FALSE)
  parts <- list(value)
  looked <- 0
  while (length(parts) > 0L && looked < MAX_PARTS) {
    if (any(vapply(parts, holds_environment, NA))) return(FALSE)
    looked <- looked + length(parts)
    parts <- unlist(lapply(parts, parts_of), recursive = FALSE, use.names = FALSE)
  }
  TRUE
}

# An environment created by the cell, or a function created in one; other environments are stored by name.
holds_environment <- function(part) {
  env <- if (is.environment(part)) part else if (typeof(part) == "closure") environment(part)
  if (is.null(env)) return(FALSE)
  !(identical(env, globalenv()) || identical(env, baseenv()) || identical(env, emptyenv()) || isNamespace(env))
}

parts_of <- function(part) {
  elements <- if (is.list(part)) as.list(unclass(part))
  c(unname(elements), unname(attributes(part)))
}

# New and rebound names, without functions; `store` lists the names to store, each up to `most` bytes.
exports <- function(manifest, given, most) {
  every <- is.null(manifest$store) || identical(manifest$store, "all")
  wanted <- if (every) character() else as.character(manifest$store)
  variables <- list()
  for (name in ls(globalenv(), sorted = TRUE)) {
    value <- tryCatch(get(name, envir = globalenv()), error = function(e) structure(list(e), class = "svc_unmade"))
    if (inherits(value, "svc_unmade")) {
      # Promises and active bindings that fail when they are evaluated.
      variables[[name]] <- list(error = conditionMessage(value[[1]]), type = "promise")
      next
    }
    isSame <- name %in% names(given) && identical(value, given[[name]]) && !(name %in% wanted)
    if (is.function(value) || isSame) next
    # A value that cannot be inspected must not fail the cell.
    isKept <- (every || name %in% wanted) && tryCatch(is_within(value, most), error = function(e) FALSE)
    file <- if (isKept) file_stem(name)
    variables[[name]] <- tryCatch(
      value_entry(value, manifest$output_dir, file),
      error = function(e) list(error = conditionMessage(e), type = class(value)[1])
    )
  }
  blocked <- Filter(function(name) is.function(get0(name, globalenv(), inherits = FALSE)), wanted)
  for (name in blocked) {
    variables[[name]] <- list(
      error = "a function of an R cell stays in its cell; define it in each R cell that calls it, or source() a file",
      type = "function"
    )
  }
  variables
}

deleted_inputs <- function(given) {
  gone <- Filter(function(name) !exists(name, envir = globalenv(), inherits = FALSE), names(given))
  lapply(gone, function(name) {
    list(
      var_name = name, message = paste0("`", name, "` was removed in this cell; other cells still have it."),
      suggestion = NULL
    )
  })
}

# Text that is already JSON.
as_raw_json <- function(text) structure(list(text), class = "svc_json")

# Write the result file atomically.
write_result <- function(folder, outcome) {
  shown <- outcome$displays
  variables <- if (length(outcome$variables) == 0L) list() else outcome$variables
  if (length(shown) > 0L && outcome$success) variables[["_"]] <- shown[[length(shown)]]
  result <- list(
    success = outcome$success,
    variables = if (length(variables) == 0L) as_raw_json("{}") else variables,
    displays = shown,
    mutation_warnings = if (is.null(outcome$warnings)) list() else outcome$warnings,
    build_env = paste0("r-", R.version$major, ".", R.version$minor, "-", R.version$platform)
  )
  if (!is.null(outcome$loop)) result$loop <- outcome$loop
  if (!outcome$success) result <- c(result, outcome[c("error", "traceback")], outcome["error_code"][!is.null(outcome$error_code)])
  path <- file.path(folder, "harness-result.json")
  write_text(result_json(result), paste0(path, ".part"))
  file.rename(paste0(path, ".part"), path)
}

# Lists become arrays or objects, vectors of one become scalars, and text marked as JSON is inserted unchanged.
result_json <- function(x) {
  if (inherits(x, "svc_json")) return(x[[1]])
  if (is.list(x)) {
    parts <- vapply(x, result_json, "", USE.NAMES = FALSE)
    if (is.null(names(x))) return(paste0("[", paste(parts, collapse = ","), "]"))
    return(json_members(names(x), parts))
  }
  if (is.double(x) && length(x) == 1L && is.finite(x) && x == round(x)) return(sprintf("%.0f", x))
  json_write(x, strict = TRUE)
}
