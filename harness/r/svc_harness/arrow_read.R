# Reads an Arrow IPC stream as a data frame, without the arrow package.

# The data frame and the schema's metadata.
arrow_read <- function(path) {
  bytes <- readBin(path, "raw", file.size(path))
  stream <- new.env(parent = emptyenv())
  stream$dictionaries <- list()
  stream$batches <- list()
  stream$rows <- 0
  at <- 0
  repeat {
    if (at + 8 > length(bytes)) break
    size <- fb_i32(bytes, at + 4)
    if (any(bytes[at + 1:4] != as.raw(255)) || is.na(size) || size < 0 || at + 8 + size > length(bytes)) {
      stop("it is no whole Arrow stream", call. = FALSE)
    }
    if (size == 0) break
    at <- arrow_take(stream, bytes, at + 8, size)
  }
  if (is.null(stream$schema)) stop("it is no Arrow stream", call. = FALSE)
  list(frame = arrow_frame(stream), metadata = stream$schema$metadata)
}

# Read one message; returns the position of the next.
arrow_take <- function(stream, bytes, at, size) {
  head <- bytes[at + seq_len(size)]
  message <- fb_root(head)
  header <- fb_follow(head, message, 2)
  body <- at + size
  bodySize <- fb_scalar(head, message, 3, fb_i64, 0)
  if (body + bodySize > length(bytes)) stop("the Arrow stream ends too early", call. = FALSE)
  switch(names(HEADER)[fb_scalar(head, message, 1, fb_byte, 0L)],
    schema = stream$schema <- arrow_read_schema(head, header),
    dictionary = arrow_take_dictionary(stream, bytes, body, head, header),
    batch = arrow_take_batch(stream, bytes, body, arrow_read_batch(head, header))
  )
  body + bodySize
}

arrow_take_batch <- function(stream, bytes, body, batch) {
  stream$rows <- stream$rows + batch$rows
  stream$batches[[length(stream$batches) + 1L]] <- arrow_decode(stream, stream$schema$columns, bytes, body, batch)
}

arrow_take_dictionary <- function(stream, bytes, body, head, header) {
  id <- as.character(fb_scalar(head, header, 0, fb_i64, 0))
  column <- arrow_dictionary_column(stream$schema$columns, id)
  if (is.null(column)) stop("a dictionary belongs to no column", call. = FALSE)
  column$dictionary <- NULL
  batch <- arrow_read_batch(head, fb_follow(head, header, 1))
  values <- arrow_decode(stream, list(column), bytes, body, batch)[[1]]
  isDelta <- fb_scalar(head, header, 2, fb_byte, 0L) == 1L
  stream$dictionaries[[id]] <- if (isDelta) arrow_join(list(stream$dictionaries[[id]], values)) else values
}

arrow_dictionary_column <- function(columns, id) {
  for (column in columns) {
    if (!is.null(column$dictionary) && as.character(column$dictionary$id) == id) return(column)
    found <- arrow_dictionary_column(column$children, id)
    if (!is.null(found)) return(found)
  }
  NULL
}

# The columns of one batch as a list of vectors.
arrow_decode <- function(stream, columns, bytes, body, batch) {
  cursor <- new.env(parent = emptyenv())
  cursor$node <- 0L
  cursor$buffer <- 0L
  cursor$next_node <- function() {
    cursor$node <- cursor$node + 1L
    if (is.null(batch$nodes)) c(0, 0) else batch$nodes[, cursor$node]
  }
  cursor$next_buffer <- function() {
    if (is.null(batch$buffers)) return(raw())
    cursor$buffer <- cursor$buffer + 1L
    place <- batch$buffers[, cursor$buffer]
    if (place[2] == 0) return(raw())
    bytes[seq.int(body + place[1] + 1, length.out = place[2])]
  }
  lapply(columns, function(column) arrow_decode_column(stream, column, cursor))
}

arrow_decode_column <- function(stream, column, cursor) {
  node <- cursor$next_node()
  rows <- node[1]
  if (column$type == "null" && is.null(column$dictionary)) return(rep(NA, rows))
  bitmap <- cursor$next_buffer()
  missing <- if (node[2] == 0 || length(bitmap) == 0L) NULL else !arrow_flags(bitmap, rows)
  if (!is.null(column$dictionary)) return(arrow_decode_dictionary(stream, column, cursor$next_buffer(), rows, missing))
  if (column$type %in% c("list", "large_list", "map", "fixed_list", "struct")) {
    return(arrow_decode_nested(stream, column, cursor, rows, missing))
  }
  values <- arrow_decode_values(column, cursor, rows, missing)
  if (is.null(missing)) values else arrow_blank(values, missing)
}

arrow_blank <- function(values, missing) {
  if (is.list(values)) values[missing] <- list(NULL)
  # bit64 has its own missing value.
  else if (inherits(values, "integer64")) values <- structure(replace(unclass(values), missing, -0.0), class = "integer64")
  else values[missing] <- NA
  values
}

arrow_flags <- function(bitmap, rows) as.logical(rawToBits(bitmap))[seq_len(rows)]

arrow_decode_dictionary <- function(stream, column, bytes, rows, missing) {
  index <- column$dictionary
  codes <- arrow_integers(bytes, rows, index$bits, index$signed, missing)
  if (!is.null(missing)) codes[missing] <- NA
  levels <- stream$dictionaries[[as.character(index$id)]]
  if (is.null(levels)) stop("a dictionary is missing", call. = FALSE)
  if (!is.character(levels) || anyNA(levels) || anyDuplicated(levels) > 0L) return(levels[codes + 1L])
  structure(as.integer(codes) + 1L, levels = levels, class = c(if (index$ordered) "ordered", "factor"))
}

arrow_decode_values <- function(column, cursor, rows, missing) {
  if (column$type %in% c("utf8", "large_utf8", "binary", "large_binary")) {
    offsets <- arrow_offsets(cursor$next_buffer(), rows, startsWith(column$type, "large"))
    bytes <- cursor$next_buffer()
    return(if (endsWith(column$type, "utf8")) arrow_texts(bytes, offsets) else arrow_raws(bytes, offsets))
  }
  bytes <- cursor$next_buffer()
  whole <- function(bits) arrow_integers(bytes, rows, bits, TRUE, missing)
  seconds <- function(bits) arrow_whole(bytes, rows, bits) / PER_SECOND[column$unit + 1L]
  switch(column$type,
    bool = arrow_flags(bytes, rows),
    int = arrow_integers(bytes, rows, column$bits, column$signed, missing),
    float = arrow_floats(bytes, rows, column$precision),
    date = if (column$unit == 0L) .Date(as.numeric(whole(32L))) else .Date(arrow_whole(bytes, rows, 64L) / 86400000),
    time = .difftime(seconds(column$bits), "secs"),
    duration = .difftime(seconds(64L), "secs"),
    timestamp = arrow_times(seconds(64L), column$zone),
    decimal = arrow_decimals(bytes, rows, column),
    fixed_binary = arrow_raws(bytes, column$width * (0:rows)),
    stop("it has a column of type ", column$type, ", which R cells do not read", call. = FALSE)
  )
}

arrow_offsets <- function(bytes, rows, isLarge) {
  if (length(bytes) == 0L) return(numeric(rows + 1))
  if (isLarge) arrow_whole(bytes, rows + 1, 64L) else readBin(bytes, "integer", rows + 1, endian = "little")
}

# Split bytes into strings: with a NUL after each, readBin reads all of them at once.
arrow_texts <- function(bytes, offsets) {
  rows <- length(offsets) - 1L
  if (rows == 0L) return(character())
  first <- offsets[1]
  used <- bytes[seq.int(first + 1, length.out = offsets[rows + 1L] - first)]
  if (any(used == as.raw(0))) stop("a text in it holds a NUL character, which R text cannot", call. = FALSE)
  sizes <- diff(offsets)
  ended <- raw(length(used) + rows)
  ended[seq_along(used) + rep.int(seq_len(rows) - 1L, sizes)] <- used
  texts <- readBin(ended, "character", rows)
  Encoding(texts) <- "UTF-8"
  texts
}

arrow_raws <- function(bytes, offsets) {
  lapply(seq_len(length(offsets) - 1L), function(i) bytes[seq.int(offsets[i] + 1, length.out = offsets[i + 1L] - offsets[i])])
}

# 32-bit or 64-bit numbers as doubles, exact up to 2^53.
arrow_whole <- function(bytes, rows, bits) {
  if (bits == 32L) return(as.numeric(readBin(bytes, "integer", rows, endian = "little")))
  parts <- matrix(readBin(bytes, "integer", 2 * rows, endian = "little"), nrow = 2)
  low <- as.numeric(parts[1, ])
  low[is.na(low)] <- -2^31
  high <- as.numeric(parts[2, ])
  high[is.na(high)] <- -2^31
  high * 2^32 + low %% 2^32
}

# Integers where they fit; 64-bit numbers as doubles, or as bit64's class if a double would round.
arrow_integers <- function(bytes, rows, bits, signed, missing) {
  if (bits <= 16L) return(readBin(bytes, "integer", rows, size = bits / 8L, signed = signed, endian = "little"))
  if (bits == 32L) {
    values <- readBin(bytes, "integer", rows, endian = "little")
    odd <- is.na(values)
    if (!is.null(missing)) odd <- odd & !missing
    if (signed && !any(odd)) return(values)
    values <- as.numeric(values)
    values[is.na(values)] <- -2^31
    return(if (signed) values else values %% 2^32)
  }
  values <- arrow_whole(bytes, rows, 64L)
  if (!signed) values <- values %% 2^64
  known <- if (is.null(missing)) values else values[!missing]
  if (any(abs(known) > LARGEST_EXACT) || arrow_is_rounded(bytes, rows, values, missing)) {
    return(arrow_wide(bytes, rows, signed, known))
  }
  if (all(abs(known) <= .Machine$integer.max)) as.integer(if (is.null(missing)) values else replace(values, missing, NA)) else values
}

# Whether 2^53 + 1 is among the numbers: as a double it reads as 2^53.
arrow_is_rounded <- function(bytes, rows, values, missing) {
  at <- abs(values) == LARGEST_EXACT
  if (!is.null(missing)) at <- at & !missing
  if (!any(at)) return(FALSE)
  low <- matrix(readBin(bytes, "integer", 2 * rows, endian = "little"), nrow = 2)[1, at]
  any(is.na(low) | low != 0L)
}

arrow_wide <- function(bytes, rows, signed, known) {
  if (requireNamespace("bit64", quietly = TRUE) && (signed || all(known < 2^63))) {
    return(structure(readBin(bytes, "double", rows, endian = "little"), class = "integer64"))
  }
  stop_with("PRECISION_NARROWED", paste0(
    "it holds 64-bit integers beyond 2^53, which R numbers would round. Install the R package bit64, ",
    "or make them floats or text before"
  ))
}

arrow_floats <- function(bytes, rows, precision) {
  if (precision == 2L) return(readBin(bytes, "double", rows, endian = "little"))
  if (precision == 1L) return(readBin(bytes, "double", rows, size = 4L, endian = "little"))
  bits <- readBin(bytes, "integer", rows, size = 2L, signed = FALSE, endian = "little")
  sign <- ifelse(bits >= 0x8000, -1, 1)
  power <- bitwAnd(bitwShiftR(bits, 10L), 31L)
  rest <- bitwAnd(bits, 1023L)
  sign * ifelse(power == 31L, ifelse(rest == 0L, Inf, NaN),
    ifelse(power == 0L, rest * 2^-24, (1 + rest / 1024) * 2^(power - 15)))
}

# Times with a zone are instants; times without one are local times.
arrow_times <- function(seconds, zone) {
  if (!is.null(zone)) return(.POSIXct(seconds, zone_for_r(zone)))
  instants <- instant_of_clock(seconds)
  if (identical(instants + clock_offset(instants), seconds)) return(.POSIXct(instants))
  message("Some of its times do not exist on the clock of this machine's zone: all are read as UTC.")
  .POSIXct(seconds, "UTC")
}

arrow_decimals <- function(bytes, rows, column) {
  limbs <- column$bits %/% 32L
  parts <- matrix(readBin(bytes, "integer", limbs * rows, endian = "little"), nrow = limbs)
  isNegative <- parts[limbs, ] < 0L | is.na(parts[limbs, ])
  total <- numeric(rows)
  for (i in seq_len(limbs)) {
    part <- as.numeric(parts[i, ])
    part[is.na(part)] <- -2^31
    part <- part %% 2^32
    # For a negative number use the complement: its own limbs would only cancel out after rounding.
    part[isNegative] <- 2^32 - 1 - part[isNegative]
    total <- total + part * 2^(32 * (i - 1))
  }
  total <- ifelse(isNegative, -total - 1, total)
  if (any(abs(total) > LARGEST_EXACT)) message("Decimals with more than 15 digits are rounded to R numbers.")
  total / 10^column$scale
}

arrow_decode_nested <- function(stream, column, cursor, rows, missing) {
  if (column$type == "struct") {
    values <- lapply(column$children, function(child) arrow_decode_column(stream, child, cursor))
    names(values) <- vapply(column$children, `[[`, "", "name")
    if (!is.null(missing)) values <- lapply(values, arrow_blank, missing)
    return(structure(values, row.names = .set_row_names(rows), class = "data.frame"))
  }
  offsets <- if (column$type == "fixed_list") column$width * (0:rows)
  else arrow_offsets(cursor$next_buffer(), rows, column$type == "large_list")
  values <- arrow_decode_column(stream, column$children[[1]], cursor)
  take <- if (is.data.frame(values)) function(at) values[at, , drop = FALSE] else function(at) values[at]
  items <- lapply(seq_len(rows), function(i) take(seq.int(offsets[i] + 1, length.out = offsets[i + 1L] - offsets[i])))
  if (!is.null(missing)) items[missing] <- list(NULL)
  items
}

# All batches joined to one data frame.
arrow_frame <- function(stream) {
  columns <- stream$schema$columns
  batches <- stream$batches
  if (length(batches) == 0L) {
    empty <- list(rows = 0)
    for (id in arrow_dictionary_ids(columns)) {
      if (is.null(stream$dictionaries[[id]])) stream$dictionaries[[id]] <- character()
    }
    batches <- list(arrow_decode(stream, columns, raw(), 0, empty))
  }
  values <- lapply(seq_along(columns), function(i) arrow_join(lapply(batches, `[[`, i)))
  names(values) <- vapply(columns, `[[`, "", "name")
  frame <- structure(values, row.names = .set_row_names(as.integer(stream$rows)), class = "data.frame")
  named <- stream$schema$metadata[["svc.arrow.r.row_names"]]
  if (!is.null(named)) attr(frame, "row.names") <- json_read(named)
  frame
}

arrow_dictionary_ids <- function(columns) {
  unlist(lapply(columns, function(column) {
    c(if (!is.null(column$dictionary)) as.character(column$dictionary$id), arrow_dictionary_ids(column$children))
  }))
}
