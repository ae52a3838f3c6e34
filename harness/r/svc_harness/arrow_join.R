# Joins the chunks of a column: the type each chunk was read as may depend on its values.

arrow_join <- function(parts) {
  if (length(parts) == 1L) return(parts[[1]])
  if (is.data.frame(parts[[1]])) return(arrow_join_frames(parts))
  parts <- arrow_alike(parts)
  if (is.list(parts[[1]])) return(arrow_join_lists(parts))
  if (is.factor(parts[[1]])) return(arrow_join_factors(parts))
  # c() would drop the time zone and the class of 64-bit integers.
  kept <- attributes(parts[[1]])[c("class", "tzone", "units")]
  joined <- unlist(lapply(parts, unclass), use.names = FALSE)
  attributes(joined) <- kept[!vapply(kept, is.null, TRUE)]
  joined
}

# Structs are joined column by column, since rbind() uses the types of the first.
arrow_join_frames <- function(parts) {
  columns <- lapply(seq_along(parts[[1]]), function(i) arrow_join(lapply(parts, .subset2, i)))
  names(columns) <- names(parts[[1]])
  rows <- sum(vapply(parts, function(part) .row_names_info(part, 2L), 0L))
  structure(columns, row.names = .set_row_names(rows), class = "data.frame")
}

# Lists: their elements are converted to one type, too.
arrow_join_lists <- function(parts) {
  items <- unlist(parts, recursive = FALSE, use.names = FALSE)
  known <- !vapply(items, is.null, TRUE)
  items[known] <- arrow_alike(items[known])
  items
}

arrow_join_factors <- function(parts) {
  levels <- unique(unlist(lapply(parts, levels)))
  codes <- unlist(lapply(parts, function(part) match(as.character(part), levels)))
  structure(codes, levels = levels, class = class(parts[[1]]))
}

# The chunks unchanged if they have one type; otherwise converted to a type that can hold all of them.
arrow_alike <- function(parts) {
  is_some <- function(kind) vapply(parts, inherits, TRUE, kind)
  wide <- is_some("integer64")
  if (any(wide) && !all(wide)) parts[!wide] <- lapply(parts[!wide], arrow_widen)
  factors <- is_some("factor")
  if (any(factors) && !all(factors)) parts[factors] <- lapply(parts[factors], as.character)
  times <- is_some("POSIXct")
  if (any(times)) {
    # Some chunks of a column without a zone were read as UTC, because local times did not exist: use UTC for all.
    zoned <- vapply(parts, function(part) !is.null(attr(part, "tzone")), TRUE)
    local <- times & !zoned
    if (any(local) && any(times & zoned)) parts[local] <- lapply(parts[local], arrow_as_shown)
  }
  parts
}

# Numbers as bit64's integers, which have their own missing value.
arrow_widen <- function(x) {
  missing <- is.na(x)
  bits <- readBin(le64(replace(as.numeric(x), missing, 0)), "double", length(x), endian = "little")
  structure(replace(bits, missing, -0.0), class = "integer64")
}

arrow_as_shown <- function(x) {
  seconds <- as.numeric(x)
  .POSIXct(seconds + clock_offset(seconds), "UTC")
}
