# Writes a data frame as an Arrow IPC stream, without the arrow package.

# The years 1 to 9999, the range of Python's dates, in days and seconds; the largest exact number of microseconds.
FIRST_DAY <- -719162
LAST_DAY <- 2932896
LONGEST <- 9.2e12
BEYOND_YEARS <- "holds dates before the year 1 or after 9999, or without end, which Python's do not know"

# Converts one column to list(name, type, ..., buffers, nulls, rows, children), or NULL if Arrow has no such type.
# `buffers` are raw vectors; the first is the validity bitmap, empty if nothing is missing.
arrow_column <- function(name, x, dictionaries) {
  made <- arrow_classed(x, dictionaries)
  if (is.null(made)) return(NULL)
  made$name <- name
  if (is.null(made$rows)) made$rows <- NROW(x)
  if (is.null(made$children)) made$children <- list()
  made
}

# Records why a column cannot be converted. Only the first, innermost reason is kept.
arrow_refuse <- function(dictionaries, why) {
  if (is.null(dictionaries$why)) dictionaries$why <- why
  NULL
}

arrow_classed <- function(x, dictionaries) {
  if (inherits(x, "AsIs")) class(x) <- setdiff(class(x), "AsIs")
  if (isS4(x) || !is.null(dim(x)) && !is.data.frame(x)) return(NULL)
  if (is.factor(x)) return(arrow_factor(x, dictionaries))
  if (inherits(x, "Date")) {
    days <- floor(as.numeric(unclass(x)))
    if (any(days < FIRST_DAY | days > LAST_DAY, na.rm = TRUE)) return(arrow_refuse(dictionaries, BEYOND_YEARS))
    return(c(list(type = "date"), arrow_fixed(as.integer(days), is.na(days))))
  }
  if (inherits(x, "POSIXlt")) x <- as.POSIXct(x)
  if (inherits(x, "POSIXct")) return(arrow_instants(x, dictionaries))
  if (inherits(x, "difftime")) {
    seconds <- as.numeric(x, units = "secs")
    if (any(abs(seconds) > LONGEST, na.rm = TRUE)) {
      return(arrow_refuse(dictionaries, "holds durations without end, or longer than 290,000 years, which no table holds"))
    }
    return(c(list(type = "duration"), arrow_micros(seconds)))
  }
  if (inherits(x, "integer64")) return(arrow_integer64(x))
  if (is.data.frame(x)) return(arrow_struct(x, dictionaries))
  if (is.object(x)) return(NULL)
  arrow_plain(x, dictionaries)
}

arrow_plain <- function(x, dictionaries) switch(typeof(x),
  logical = arrow_logical(x),
  integer = c(list(type = "int", bits = 32L), arrow_fixed(x, is.na(x))),
  # NaN is a value, NA is a missing value.
  double = c(list(type = "float"), arrow_fixed(x, is.na(x) & !is.nan(x))),
  character = {
    text <- arrow_text(x)
    if (is.null(text)) arrow_refuse(dictionaries, "holds bytes that are no text") else text
  },
  list = arrow_list(x, dictionaries),
  NULL
)

# The validity bitmap; empty if nothing is missing.
arrow_bitmap <- function(missing) {
  if (!any(missing)) raw() else arrow_bits(!missing)
}

arrow_bits <- function(flags) {
  padding <- -length(flags) %% 8
  packBits(c(flags, logical(padding)), "raw")
}

arrow_fixed <- function(values, missing) {
  if (any(missing)) values[missing] <- 0L
  bytes <- writeBin(as.vector(values), raw(), endian = "little")
  list(buffers = list(arrow_bitmap(missing), bytes), nulls = sum(missing))
}

arrow_logical <- function(x) {
  missing <- is.na(x)
  x[missing] <- FALSE
  list(type = "bool", buffers = list(arrow_bitmap(missing), arrow_bits(x)), nulls = sum(missing))
}

arrow_text <- function(x) {
  if (any(Encoding(x) == "bytes")) return(NULL)
  text <- enc2utf8(x)
  if (!all(validUTF8(text))) return(NULL)
  missing <- is.na(text)
  text[missing] <- ""
  sizes <- nchar(text, "bytes")
  # writeBin ends each string with a NUL, and strings contain none.
  bytes <- writeBin(as.vector(text), raw())
  bytes <- bytes[bytes != as.raw(0)]
  ends <- c(0, cumsum(as.numeric(sizes)))
  isLarge <- length(bytes) > .Machine$integer.max
  offsets <- if (isLarge) le64(ends) else le32(ends)
  type <- if (isLarge) "large_utf8" else "utf8"
  list(type = type, buffers = list(arrow_bitmap(missing), offsets, bytes), nulls = sum(missing))
}

arrow_factor <- function(x, dictionaries) {
  # NA as a factor level is written as a missing value.
  known <- !is.na(levels(x))
  codes <- as.integer(x)
  if (!all(known)) codes <- match(codes, which(known))
  levels <- arrow_text(levels(x)[known])
  if (is.null(levels)) return(arrow_refuse(dictionaries, "has levels that are bytes, not text"))
  id <- length(dictionaries$all)
  dictionaries$all[[id + 1L]] <- c(levels, list(name = "", rows = sum(known), children = list()))
  # Indexes are zero-based; the type is that of the levels.
  column <- arrow_fixed(codes - 1L, is.na(codes))
  c(list(type = "utf8", dictionary = id, ordered = is.ordered(x)), column)
}

# Seconds as whole microseconds, which a double represents exactly for nearly three centuries around 1970.
arrow_micros <- function(seconds) {
  missing <- is.na(seconds)
  seconds[missing] <- 0
  bytes <- le64(floor(as.vector(seconds) * 1e6 + 0.5))
  list(buffers = list(arrow_bitmap(missing), bytes), nulls = sum(missing))
}

# A time with a zone keeps it. Without one it is written as local time, if that identifies the instant uniquely.
arrow_instants <- function(x, dictionaries) {
  zone <- attr(x, "tzone")[1]
  seconds <- as.numeric(x)
  if (any(seconds < FIRST_DAY * 86400 | seconds >= (LAST_DAY + 1) * 86400, na.rm = TRUE)) {
    return(arrow_refuse(dictionaries, BEYOND_YEARS))
  }
  if (!is.null(zone) && zone != "") return(c(list(type = "timestamp", zone = zone_for_arrow(zone)), arrow_micros(seconds)))
  shown <- seconds + clock_offset(seconds)
  again <- instant_of_clock(shown)
  if (identical(again, seconds)) return(c(list(type = "timestamp"), arrow_micros(shown)))
  c(list(type = "timestamp", zone = "UTC"), arrow_micros(seconds))
}

# The zone's name in the IANA database; R also accepts other strings and POSIX rules as a zone.
zone_for_arrow <- function(zone) {
  if (zone %in% c("UTC", "GMT") || zone %in% OlsonNames()) return(zone)
  offset <- regmatches(zone, regexec("^<([+-][0-9]{2})([0-9]{2})>[+-]?[0-9:]+$", zone))[[1]]
  if (length(offset) == 3L) return(paste0(offset[2], ":", offset[3]))
  message("The zone `", zone, "` is not known outside of R: its times are handed on in UTC.")
  "UTC"
}

# A zone for R: a UTC offset in R's notation, in which POSIX offsets have the opposite sign.
zone_for_r <- function(zone) {
  offset <- regmatches(zone, regexec("^([+-])([0-9]{2}):([0-9]{2})$", zone))[[1]]
  if (length(offset) == 0L) return(if (zone == "Z") "UTC" else zone)
  if (offset[3] == "00" && offset[4] == "00") return("UTC")
  turned <- if (offset[2] == "+") "-" else "+"
  paste0("<", offset[2], offset[3], offset[4], ">", turned, as.integer(offset[3]), ":", offset[4])
}

# UTC offset of the local zone at these instants, in seconds.
clock_offset <- function(seconds) {
  if (length(seconds) == 0L) return(numeric())
  if (Sys.getenv("TZ") %in% c("UTC", "Etc/UTC", "GMT")) return(0)
  offset <- as.POSIXlt(.POSIXct(seconds, ""))$gmtoff
  ifelse(is.na(offset), 0, offset)
}

# The instant of a local time; a nearby instant if the local time does not exist or is ambiguous.
instant_of_clock <- function(shown) {
  near <- shown - clock_offset(shown)
  shown - clock_offset(near)
}

arrow_integer64 <- function(x) {
  numbers <- as.vector(unclass(x))
  parts <- readBin(writeBin(numbers, raw(), endian = "little"), "integer", 2L * length(numbers), endian = "little")
  parts <- matrix(parts, nrow = 2)
  # Its NA has the bits of the smallest number; R reads the upper half of those as NA.
  missing <- is.na(parts[2, ]) & !is.na(parts[1, ]) & parts[1, ] == 0L
  bytes <- writeBin(numbers, raw(), endian = "little")
  list(type = "int", bits = 64L, buffers = list(arrow_bitmap(missing), bytes), nulls = sum(missing))
}

arrow_struct <- function(x, dictionaries) {
  children <- arrow_columns(x, dictionaries)
  if (is.null(children)) return(NULL)
  list(type = "struct", buffers = list(raw()), nulls = 0, children = children, rows = nrow(x))
}

# A list of vectors of one type becomes a list column; NULL is a missing value.
arrow_list <- function(x, dictionaries) {
  if (any(vapply(x, function(item) is.list(item) || is.object(item) || !is.null(dim(item)), TRUE))) {
    return(NULL)
  }
  kinds <- unique(vapply(x, typeof, ""))
  kinds <- setdiff(kinds, "NULL")
  if (identical(kinds, "raw")) return(arrow_bytes(x))
  if (length(kinds) > 1L && !all(kinds %in% c("integer", "double"))) return(NULL)
  missing <- vapply(x, is.null, TRUE)
  values <- unlist(lapply(x, as.vector), use.names = FALSE)
  child <- if (is.null(values)) list(type = "null", buffers = list(), nulls = 0, rows = 0)
  else arrow_plain(values, dictionaries)
  if (is.null(child)) return(NULL)
  child <- c(child, list(name = "item", rows = length(values), children = list()))
  child <- child[!duplicated(names(child))]
  offsets <- le32(c(0, cumsum(lengths(x))))
  list(type = "list", buffers = list(arrow_bitmap(missing), offsets), nulls = sum(missing), children = list(child))
}

# A list of raw vectors becomes a column of bytes, and is read from one.
arrow_bytes <- function(x) {
  missing <- vapply(x, is.null, TRUE)
  buffers <- list(arrow_bitmap(missing), le32(c(0, cumsum(lengths(x)))), unlist(x, use.names = FALSE))
  list(type = "binary", buffers = buffers, nulls = sum(missing))
}

# The columns of a data frame, or NULL if Arrow has no type for one of them.
arrow_columns <- function(frame, dictionaries) {
  columns <- vector("list", length(frame))
  names <- arrow_text(as.character(names(frame)))
  for (i in seq_along(columns)) {
    name <- names(frame)[i]
    column <- .subset2(frame, i)
    made <- if (is.null(name) || is.na(name)) arrow_refuse(dictionaries, "has no name")
    else if (is.null(names)) arrow_refuse(dictionaries, "has a name that is bytes, or stands beside one")
    else if (NROW(column) != nrow(frame)) {
      arrow_refuse(dictionaries, paste0("has ", NROW(column), " rows where the frame has ", nrow(frame)))
    } else arrow_column(name, column, dictionaries)
    if (is.null(made)) {
      # Report the outermost column, which is the one the user knows.
      dictionaries$refused <- i
      return(NULL)
    }
    columns[[i]] <- made
  }
  columns
}

# Columns and their children, in the order of a record batch.
arrow_flat <- function(columns) {
  unlist(lapply(columns, function(column) c(list(column), arrow_flat(column$children))), recursive = FALSE)
}

# Write the data frame and return its columns; if Arrow has no type for a column, write no file and return its number.
arrow_write <- function(frame, path) {
  dictionaries <- new.env(parent = emptyenv())
  dictionaries$all <- list()
  columns <- arrow_columns(frame, dictionaries)
  if (is.null(columns)) return(structure(dictionaries$refused, why = dictionaries$why))
  out <- file(path, "wb")
  on.exit(close(out))
  writeBin(arrow_schema_message(columns, c(list(svc.arrow.shape = "table"), arrow_row_names(frame))), out)
  for (i in seq_along(dictionaries$all)) {
    levels <- dictionaries$all[[i]]
    arrow_write_batch(out, list(levels), rows = levels$rows, dictionary = i - 1)
  }
  arrow_write_batch(out, columns, rows = nrow(frame))
  writeBin(c(as.raw(rep(255, 4)), raw(4)), out)
  columns
}

# Row names set by the user: R reads them back, Python ignores them.
arrow_row_names <- function(frame) {
  given <- attr(frame, "row.names")
  if (!is.character(given) || length(given) == 0L) return(NULL)
  list(svc.arrow.r.row_names = paste0("[", paste(json_quote(given), collapse = ","), "]"))
}

arrow_write_batch <- function(out, columns, rows, dictionary = NULL) {
  flat <- arrow_flat(columns)
  buffers <- unlist(lapply(flat, function(column) column$buffers), recursive = FALSE)
  nodes <- vapply(flat, function(column) c(column$rows, column$nulls), c(0, 0))
  sizes <- as.numeric(lengths(buffers))
  writeBin(arrow_batch_message(rows, matrix(nodes, nrow = 2), sizes, dictionary), out)
  for (bytes in buffers) {
    writeBin(bytes, out)
    if (length(bytes) %% 8 != 0) writeBin(raw(-length(bytes) %% 8), out)
  }
}
