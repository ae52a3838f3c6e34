# Pieces of a column as one: what a piece became may have hung on the values in it.

arrow_join <- function(parts) {
  if (length(parts) == 1L) return(parts[[1]])
  if (is.data.frame(parts[[1]])) return(arrow_join_frames(parts))
  parts <- arrow_alike(parts)
  if (is.list(parts[[1]])) return(arrow_join_lists(parts))
  if (is.factor(parts[[1]])) return(arrow_join_factors(parts))
  # c() would drop the zone of times and the class of wide integers.
  kept <- attributes(parts[[1]])[c("class", "tzone", "units")]
  joined <- unlist(lapply(parts, unclass), use.names = FALSE)
  attributes(joined) <- kept[!vapply(kept, is.null, TRUE)]
  joined
}

# Structs: column by column, for rbind() takes the kind of the first.
arrow_join_frames <- function(parts) {
  columns <- lapply(seq_along(parts[[1]]), function(i) arrow_join(lapply(parts, .subset2, i)))
  names(columns) <- names(parts[[1]])
  rows <- sum(vapply(parts, function(part) .row_names_info(part, 2L), 0L))
  structure(columns, row.names = .set_row_names(rows), class = "data.frame")
}

# Lists: what they hold is of one kind, too.
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

# The pieces as they were, or as the kind that holds all of them.
arrow_alike <- function(parts) {
  is_some <- function(kind) vapply(parts, inherits, TRUE, kind)
  wide <- is_some("integer64")
  if (any(wide) && !all(wide)) parts[!wide] <- lapply(parts[!wide], arrow_widen)
  factors <- is_some("factor")
  if (any(factors) && !all(factors)) parts[factors] <- lapply(parts[factors], as.character)
  times <- is_some("POSIXct")
  if (any(times)) {
    # Of a column without a zone some pieces were read as UTC, for want of such times here: then all are.
    zoned <- vapply(parts, function(part) !is.null(attr(part, "tzone")), TRUE)
    local <- times & !zoned
    if (any(local) && any(times & zoned)) parts[local] <- lapply(parts[local], arrow_as_shown)
  }
  parts
}

# Numbers as bit64's; it has a missing number of its own.
arrow_widen <- function(x) {
  missing <- is.na(x)
  bits <- readBin(le64(replace(as.numeric(x), missing, 0)), "double", length(x), endian = "little")
  structure(replace(bits, missing, -0.0), class = "integer64")
}

arrow_as_shown <- function(x) {
  seconds <- as.numeric(x)
  .POSIXct(seconds + clock_offset(seconds), "UTC")
}
