# JSON in base R: manifests, results and json/object values. The source is ASCII, so that any locale can read it.

# Matches one token; possessive, so that long strings do not overflow the stack.
JSON_TOKEN <- paste0(
  '"[^"\\\\]*+(?:\\\\.[^"\\\\]*+)*+"',
  "|-?Infinity|NaN|-?[0-9]++(?:\\.[0-9]++)?(?:[eE][+-]?[0-9]++)?",
  "|true|false|null|[][{}:,]"
)

LARGEST_EXACT <- 2^53

# Contents of a file as UTF-8. A NUL, which R strings cannot contain, is an error.
read_text <- function(path) {
  bytes <- readBin(path, "raw", file.size(path))
  if (any(bytes == as.raw(0))) stop("it holds a NUL character, which R text cannot", call. = FALSE)
  text <- rawToChar(bytes)
  Encoding(text) <- "UTF-8"
  text
}

# Parse JSON text. Arrays of numbers, strings or booleans become vectors (null is NA), other arrays lists, objects named
# lists. Numbers without a decimal point become integers if they fit.
json_read <- function(text) {
  bytes <- enc2utf8(text)
  Encoding(bytes) <- "bytes"
  found <- gregexpr(JSON_TOKEN, bytes, perl = TRUE, useBytes = TRUE)[[1]]
  if (found[1] == -1) stop("no JSON value", call. = FALSE)
  starts <- as.integer(found)
  tokens <- substring(bytes, starts, starts + attr(found, "match.length") - 1L)
  Encoding(tokens) <- "UTF-8"
  kinds <- substr(tokens, 1, 1)
  isOpen <- kinds %in% c("[", "{")
  isClose <- kinds %in% c("]", "}")
  reader <- list(
    tokens = tokens, kinds = kinds,
    closing = json_closings(isOpen, isClose),
    brackets = cumsum(isOpen | isClose)
  )
  json_value(reader, 1L)
}

# For each opening bracket, the index of its closing bracket.
json_closings <- function(isOpen, isClose) {
  closing <- integer(length(isOpen))
  stack <- integer(sum(isOpen))
  depth <- 0L
  for (at in which(isOpen | isClose)) {
    if (isOpen[at]) {
      depth <- depth + 1L
      stack[depth] <- at
    } else {
      if (depth == 0L) stop("a bracket closes that never opened", call. = FALSE)
      closing[stack[depth]] <- at
      depth <- depth - 1L
    }
  }
  if (depth != 0L) stop("the JSON text ends too early", call. = FALSE)
  closing
}

json_value <- function(reader, at) {
  switch(reader$kinds[at],
    "[" = json_array(reader, at),
    "{" = json_object(reader, at),
    json_scalars(reader$tokens[at])
  )
}

json_array <- function(reader, at) {
  end <- reader$closing[at]
  if (end == at + 1L) return(list())
  # No bracket in between: plain values, each followed by a comma.
  if (reader$brackets[end - 1L] == reader$brackets[at]) {
    return(json_scalars(reader$tokens[seq.int(at + 1L, end - 1L, by = 2L)]))
  }
  values <- list()
  next_at <- at + 1L
  while (next_at < end) {
    values[length(values) + 1L] <- list(json_value(reader, next_at))
    next_at <- json_after(reader, next_at) + 1L
  }
  values
}

json_object <- function(reader, at) {
  end <- reader$closing[at]
  values <- list()
  keys <- character()
  next_at <- at + 1L
  while (next_at < end) {
    keys[length(keys) + 1L] <- json_strings(reader$tokens[next_at])
    values[length(values) + 1L] <- list(json_value(reader, next_at + 2L))
    next_at <- json_after(reader, next_at + 2L) + 1L
  }
  names(values) <- keys
  values
}

# The position after a value.
json_after <- function(reader, at) {
  if (reader$closing[at] > 0L) reader$closing[at] + 1L else at + 1L
}

# Tokens without brackets: a vector if all have one type, else a list. A single null is NULL.
json_scalars <- function(tokens) {
  if (length(tokens) == 1L && tokens == "null") return(NULL)
  first <- substr(tokens, 1, 1)
  isNull <- tokens == "null"
  kind <- ifelse(first == '"', "text", ifelse(first %in% c("t", "f"), "truth", "number"))
  kinds <- unique(kind[!isNull])
  if (length(kinds) > 1L) return(lapply(tokens, json_scalars))
  if (length(kinds) == 0L) return(rep(NA, length(tokens)))
  values <- switch(kinds,
    text = json_strings(tokens),
    truth = tokens == "true",
    number = json_numbers(tokens, isNull)
  )
  values[isNull] <- NA
  values
}

json_numbers <- function(tokens, isNull) {
  tokens <- sub("Infinity", "Inf", tokens, fixed = TRUE)
  tokens[isNull] <- "0"
  values <- as.numeric(tokens)
  if (any(grepl("[.eEIN]", tokens))) return(values)
  # Beyond this limit, different numbers in the text may parse to the same double.
  if (any(abs(values) >= LARGEST_EXACT & tokens != "9007199254740992" & tokens != "-9007199254740992")) {
    stop_with("PRECISION_NARROWED", "it holds a whole number beyond 2^53, which R numbers would round")
  }
  if (all(abs(values) <= .Machine$integer.max)) as.integer(values) else values
}

json_strings <- function(tokens) {
  text <- substr(tokens, 2L, nchar(tokens) - 1L)
  escaped <- grepl("\\", text, fixed = TRUE)
  if (any(escaped)) text[escaped] <- vapply(text[escaped], json_unescape, "", USE.NAMES = FALSE)
  text
}

JSON_ESCAPES <- c(n = "\n", t = "\t", r = "\r", b = "\b", f = "\f", `"` = '"', `\\` = "\\", `/` = "/")

json_unescape <- function(text) {
  found <- gregexpr("\\\\(?:u[0-9a-fA-F]{4}(?:\\\\u[dD][c-fC-F][0-9a-fA-F]{2})?|.)", text, perl = TRUE)
  regmatches(text, found) <- list(vapply(regmatches(text, found)[[1]], json_escape, ""))
  text
}

json_escape <- function(escape) {
  if (substr(escape, 2, 2) != "u") return(unname(JSON_ESCAPES[substr(escape, 2, 2)]))
  units <- strtoi(strsplit(escape, "\\u", fixed = TRUE)[[1]][-1], 16L)
  if (units[1] == 0L) stop("it holds a NUL character, which R text cannot", call. = FALSE)
  isPair <- length(units) == 2L && units[1] >= 0xD800 && units[1] < 0xDC00
  if (isPair) return(intToUtf8(0x10000 + (units[1] - 0xD800) * 0x400 + (units[2] - 0xDC00)))
  units[units >= 0xD800 & units < 0xE000] <- 0xFFFD
  paste(intToUtf8(units, multiple = TRUE), collapse = "")
}

# Whether JSON round-trips a value: vectors and lists without attributes other than names, with valid strings.
is_plain <- function(x) {
  if (is.null(x)) return(TRUE)
  if (length(setdiff(names(attributes(x)), "names")) > 0L || isS4(x)) return(FALSE)
  keys <- names(x)
  if (!is.null(keys) && (anyNA(keys) || any(keys == "") || anyDuplicated(keys) > 0L)) return(FALSE)
  if (is.list(x)) return(all(vapply(x, is_plain, TRUE)))
  if (is.character(x)) return(all(Encoding(x) != "bytes") && all(validUTF8(enc2utf8(x))))
  is.logical(x) || is.integer(x) || is.double(x)
}

# JSON of a plain value. A vector of one is a scalar; NA is null. `strict` quotes numbers strict JSON cannot represent.
json_write <- function(x, strict = FALSE) {
  if (is.null(x)) return("null")
  keys <- names(x)
  parts <- if (is.list(x)) vapply(x, json_write, "", strict = strict, USE.NAMES = FALSE) else json_atoms(x, strict)
  if (!is.null(keys)) return(json_members(keys, parts))
  if (!is.list(x) && length(x) == 1L) return(parts)
  paste0("[", paste(parts, collapse = ","), "]")
}

json_members <- function(keys, parts) {
  if (length(keys) == 0L) "{}" else paste0("{", paste0(json_quote(keys), ":", parts, collapse = ","), "}")
}

json_atoms <- function(x, strict) {
  parts <- if (is.logical(x)) ifelse(x, "true", "false")
  else if (is.integer(x)) sprintf("%d", x)
  else if (is.double(x)) json_doubles(x, strict)
  else json_quote(x)
  parts[is.na(x) & !is.nan_safe(x)] <- "null"
  parts
}

is.nan_safe <- function(x) if (is.double(x)) is.nan(x) else rep(FALSE, length(x))

# 15 digits if they round-trip, else 17; whole doubles keep a decimal point, so that they are not read as integers.
json_doubles <- function(x, strict) {
  short <- sprintf("%.15g", x)
  odd <- is.finite(x) & suppressWarnings(as.numeric(short)) != x
  short[odd] <- sprintf("%.17g", x[odd])
  whole <- is.finite(x) & !grepl("[.e]", short)
  short[whole] <- paste0(short[whole], ".0")
  short[is.nan(x)] <- if (strict) '"NaN"' else "NaN"
  short[is.infinite(x)] <- ifelse(x[is.infinite(x)] > 0, "Infinity", "-Infinity")
  if (strict) short[is.infinite(x)] <- paste0('"', short[is.infinite(x)], '"')
  short
}

json_quote <- function(text) {
  if (length(text) == 0L) return(character())
  text <- enc2utf8(as.character(text))
  text <- gsub("\\", "\\\\", text, fixed = TRUE)
  text <- gsub('"', '\\"', text, fixed = TRUE)
  text <- gsub("\n", "\\n", text, fixed = TRUE)
  text <- gsub("\r", "\\r", text, fixed = TRUE)
  text <- gsub("\t", "\\t", text, fixed = TRUE)
  for (code in which(vapply(1:31, function(i) any(grepl(intToUtf8(i), text, fixed = TRUE)), TRUE))) {
    text <- gsub(intToUtf8(code), sprintf("\\u%04x", code), text, fixed = TRUE)
  }
  paste0('"', text, '"')
}
