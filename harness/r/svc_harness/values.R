# Stores values of R cells in files (Arrow, JSON or RDS) and reads the values of inputs back.

CONTENT <- list(table = "arrow/ipc", json = "json/object", rds = "application/x-r-rds")
PREVIEW_CHARACTERS <- 4000L
PREVIEW_ROWS <- 5L
PREVIEW_BUDGET <- 32000L

# An error with a code that the server recognises.
stop_with <- function(code, message) {
  stop(structure(list(message = message, call = NULL, code = code), class = c("svc_coded", "error", "condition")))
}

# The result entry of a value; the file is written only if `file`, a name without extension, is given.
value_entry <- function(value, folder, file) {
  if (is.data.frame(value)) {
    entry <- table_entry(value, folder, file)
    if (is.list(entry)) return(entry)
    say_why(value, entry)
  } else if (!is.object(value) && is_plain(value)) {
    return(json_entry(value, folder, file))
  }
  rds_entry(value, folder, file)
}

# Users may not expect that only R can read a data frame: report the column that causes it.
say_why <- function(frame, column) {
  name <- names(frame)[column]
  isText <- is.character(name) && !is.na(name) && Encoding(name) != "bytes" && validUTF8(enc2utf8(name))
  why <- attr(column, "why")
  if (is.null(why)) why <- "is of a kind that tables of other languages do not have"
  message(
    "A data frame is kept for R alone: its column ", if (isText) paste0("`", name, "`") else as.integer(column),
    " (", dtype_of(.subset2(frame, column)), ") ", why, ". Turn it into numbers, text or dates to hand it on."
  )
}

stored <- function(folder, file, extension, write) {
  if (is.null(file)) return(list(bytes = 0L))
  name <- paste0(file, extension)
  path <- file.path(folder, name)
  write(path)
  list(file = name, bytes = file.size(path))
}

table_entry <- function(frame, folder, file) {
  # Without a file nothing is written, but whether writing is possible is still checked.
  written <- if (is.null(file)) list(bytes = 0L) else {
    path <- file.path(folder, paste0(file, ".arrow"))
    columns <- arrow_write(frame, path)
    if (!is.list(columns)) return(columns)
    list(file = basename(path), bytes = file.size(path))
  }
  # Written directly and in one piece: a data frame may have ten thousand columns.
  names <- json_quote(names(frame))
  kinds <- json_quote(vapply(seq_along(frame), function(i) dtype_of(.subset2(frame, i)), ""))
  schema <- if (length(names) == 0L) character() else paste0('{"name":', names, ',"dtype":', kinds, "}")
  c(
    list(content_type = CONTENT$table), written,
    list(
      preview = printed(utils::head(frame, PREVIEW_ROWS)), rows = nrow(frame),
      columns = json_list(names), schema = json_list(schema)
    )
  )
}

json_list <- function(texts) as_raw_json(paste0("[", paste(texts, collapse = ","), "]"))

dtype_of <- function(column) if (is.object(column)) class(column)[1] else typeof(column)

json_entry <- function(value, folder, file) {
  written <- stored(folder, file, ".json", function(path) write_text(json_write(value), path))
  preview <- json_preview(value)
  c(list(content_type = CONTENT$json), written, preview)
}

# The value itself within a budget; longer values are truncated.
json_preview <- function(value) {
  isLong <- utils::object.size(value) > PREVIEW_BUDGET * 2
  shown <- if (!isLong) value else if (is.character(value)) substr(utils::head(value, 20L), 1L, 200L) else utils::head(value, 200L)
  if (isLong && is.list(shown)) shown <- printed(shown)
  if (is.character(shown) && length(shown) == 1L) shown <- substr(shown, 1L, PREVIEW_CHARACTERS)
  c(list(preview = as_raw_json(json_write(shown, strict = TRUE))), if (isLong) list(preview_truncated = TRUE))
}

rds_entry <- function(value, folder, file) {
  written <- stored(folder, file, ".rds", function(path) saveRDS(value, path))
  c(
    list(content_type = CONTENT$rds), written,
    list(preview = printed(value), type = class(value)[1], r_only = TRUE)
  )
}

# What print() prints for a value, at most 4000 characters; never an error.
printed <- function(value) {
  text <- tryCatch(
    utils::capture.output(if (isS4(value)) methods::show(value) else print(value)),
    error = function(e) paste0("<", class(value)[1], ">")
  )
  substr(paste(utils::head(text, 200L), collapse = "\n"), 1L, PREVIEW_CHARACTERS)
}

write_text <- function(text, path) {
  out <- file(path, "wb")
  on.exit(close(out))
  writeBin(charToRaw(enc2utf8(text)), out)
}

# `<name>`, or `<name>-<8 hex>` if it contains capitals or special characters, for case-insensitive file systems.
file_stem <- function(name) {
  plain <- gsub("[^A-Za-z0-9_.]", "_", name)
  if (plain == name && !grepl("[A-Z]", name) && !startsWith(name, ".")) return(name)
  paste0(gsub("^[.]", "_", substr(plain, 1L, 80L)), "-", substr(sha256_of(name), 1L, 8L))
}

# ---- reading

# The value of an input; an error says why R cannot read it.
read_input <- function(spec, folder) {
  if (!is.null(spec$variants)) return(lapply(spec$variants, read_input, folder = folder))
  path <- spec$file
  if (!grepl("^(/|[A-Za-z]:|\\\\)", path)) path <- file.path(folder, path)
  type <- spec$content_type
  if (grepl("^(pickle|module)/", type)) {
    stop_with("PYTHON_ONLY_ARTIFACT", paste0(
      "it is a Python object (", type, ") that only Python can read. Hand R a table, numbers, text, or a list of those"
    ))
  }
  switch(type,
    "arrow/ipc" = read_table_input(path),
    "json/object" = json_read(read_text(path)),
    "application/x-r-rds" = readRDS(path),
    "text/markdown" = read_text(path),
    "file/path" = path,
    stop("R cells do not read ", type, call. = FALSE)
  )
}

read_table_input <- function(path) {
  if (identical(readBin(path, "raw", 1L), charToRaw("{"))) return(read_fallback(path))
  read <- arrow_read(path)
  shape <- read$metadata[["svc.arrow.shape"]]
  if (!is.null(shape) && shape != "table") {
    message("A Python ", if (shape == "tensor") "array" else "value", " arrives in R as a data frame.")
  }
  read$frame
}

# A pandas data frame that Arrow refused: rows as JSON.
read_fallback <- function(path) {
  text <- json_read(read_text(path))
  rows <- text$data
  if (text$kind == "series") rows <- lapply(rows, list)
  columns <- as.character(if (text$kind == "series") "values" else text$columns)
  values <- lapply(seq_along(columns), function(i) {
    cells <- lapply(rows, function(row) row[[i]])
    isScalar <- vapply(cells, function(cell) is.null(cell) || is.atomic(cell) && length(cell) == 1L, TRUE)
    if (all(isScalar)) unlist(lapply(cells, function(cell) if (is.null(cell)) NA else cell)) else cells
  })
  names(values) <- columns
  structure(values, row.names = .set_row_names(length(rows)), class = "data.frame")
}
