# Determines the names a cell defines and reads.

ASSIGNS <- c("<-", "=", "<<-")
QUOTES <- c("quote", "bquote", "substitute", "as.name", "as.symbol")
LOADERS <- c("library", "require", "loadNamespace", "requireNamespace", "attachNamespace", "unloadNamespace", "isNamespaceLoaded")

# Returns list(defines in source order, references sorted, env: environment variables read) of a source text.
names_of <- function(text) {
  parsed <- parse(text = text, keep.source = FALSE)
  seen <- new.env(parent = emptyenv())
  seen$defines <- character()
  seen$references <- character()
  seen$env <- character()
  for (call in as.list(parsed)) {
    names_top(call, seen)
    names_env(call, seen)
  }
  list(
    defines = as.list(seen$defines),
    references = as.list(sort(seen$references, method = "radix")),
    env = as.list(sort(unique(seen$env), method = "radix"))
  )
}

names_top <- function(call, seen) {
  if (is_call(call, ASSIGNS) && length(call) == 3L) {
    names_assign(call[[2]], call[[3]], seen)
  } else {
    names_read(call, seen)
  }
}

is_call <- function(x, names) is.call(x) && is.name(x[[1]]) && as.character(x[[1]]) %in% names

# `a <- b <- 1` assigns from the right; `df$x <- v` reads root, index and value, and defines the root.
names_assign <- function(target, value, seen) {
  names_top(value, seen)
  if (is.character(target) && length(target) == 1L) target <- as.name(target)
  if (is.call(target)) {
    names_read(target, seen)
    target <- names_root(target)
  }
  if (is.name(target)) names_define(as.character(target), seen)
}

names_root <- function(target) {
  while (is.call(target)) {
    if (length(target) < 2L) return(NULL)
    target <- target[[2]]
  }
  if (is.character(target)) as.name(target[1]) else target
}

names_define <- function(name, seen) {
  name <- enc2utf8(name)
  if (startsWith(name, ".")) return(invisible())
  seen$defines <- union(seen$defines, name)
}

names_use <- function(name, seen) {
  name <- enc2utf8(name)
  if (name == "" || name == "..." || grepl("^[.][.][0-9]+$", name)) return(invisible())
  if (startsWith(name, ".") || name %in% seen$defines) return(invisible())
  seen$references <- union(seen$references, name)
}

names_read <- function(x, seen) {
  if (is.name(x)) return(names_use(as.character(x), seen))
  if (!is.call(x)) return(invisible())
  if (is_call(x, c("::", ":::")) || is_call(x, QUOTES) || is_call(x, LOADERS) || is_call(x, "function")) {
    return(invisible())
  }
  if (is_call(x, c("$", "@"))) return(names_read(x[[2]], seen))
  # An assignment inside a larger expression defines nothing for other cells, only for the rest of its block.
  if (is_call(x, ASSIGNS) && length(x) == 3L) {
    names_read(x[[3]], seen)
    if (is.call(x[[2]])) return(names_read(x[[2]], seen))
    return(if (!is.null(seen$isBlock)) names_define(as.character(x[[2]]), seen))
  }
  if (is_call(x, "{")) return(names_within(character(), as.list(x)[-1], seen))
  names_read_parts(x, seen)
}

names_read_parts <- function(x, seen) {
  head <- x[[1]]
  # `f(1)(2)` and `m$f(1)`: the expression for the function is read.
  if (is.call(head)) names_read(head, seen)
  parts <- call_parts(x)[-1]
  if (is_call(x, "for")) {
    names_read(parts[[2]], seen)
    return(names_within(as.character(parts[[1]]), list(parts[[3]]), seen))
  }
  for (part in parts) names_read(part, seen)
}

# The arguments of a call, without empty ones as in `a[, 1]`.
call_parts <- function(x) {
  parts <- as.list(x)
  isEmpty <- vapply(seq_along(parts), function(i) is.name(parts[[i]]) && as.character(parts[[i]]) == "", TRUE)
  parts[!isEmpty]
}

# Names assigned in a block, and a loop's own variable, are not names of other cells.
names_within <- function(own, body, seen) {
  inner <- new.env(parent = emptyenv())
  inner$isBlock <- TRUE
  inner$defines <- c(seen$defines, own)
  inner$references <- seen$references
  for (call in body) names_read(call, inner)
  seen$references <- inner$references
}

# Sys.getenv("KEY"), also with several keys, anywhere in the source.
names_env <- function(x, seen) {
  if (is.pairlist(x)) x <- as.list(x)
  isAsked <- is.call(x) && (is_call(x, "Sys.getenv") || identical(x[[1]], quote(base::Sys.getenv)))
  if (isAsked && length(x) >= 2L) {
    keys <- x[[2]]
    if (is_call(keys, "c")) keys <- unlist(Filter(is.character, as.list(keys)[-1]))
    if (is.character(keys)) seen$env <- c(seen$env, keys)
  }
  if (!is.call(x) && !is.list(x)) return(invisible())
  for (part in call_parts(x)) names_env(part, seen)
}

# Server loop: one source per line as a JSON string, one answer per line. Source that R cannot parse has no names.
answer_names <- function() {
  say <- function(value) {
    cat(result_json(value), "\n", sep = "")
    flush(stdout())
  }
  say(list(version = paste0(R.version$major, ".", R.version$minor), platform = R.version$platform))
  input <- file("stdin", "r")
  on.exit(close(input))
  repeat {
    line <- readLines(input, 1L, encoding = "UTF-8")
    if (length(line) == 0L) return(0L)
    say(tryCatch(names_of(json_read(line)), error = function(e) list(defines = list(), references = list(), env = list(), broken = TRUE)))
  }
}
