# The part of FlatBuffers that Arrow messages need: a builder, which writes from the end, and a reader.

# Bytes of whole numbers below 2^53, little endian, 8 bytes each.
le64 <- function(x) {
  high <- floor(x / 2^32)
  writeBin(as.integer(rbind(signed32(x - high * 2^32), signed32(high %% 2^32))), raw(), endian = "little")
}

# An unsigned 32-bit number as the signed integer with the same bits; in R, 2^31 has the bits of NA.
signed32 <- function(x) {
  x <- ifelse(x >= 2^31, x - 2^32, x)
  x[x == -2^31] <- NA
  x
}

le32 <- function(x) writeBin(as.integer(x), raw(), endian = "little")
le16 <- function(x) writeBin(as.integer(x), raw(), size = 2L, endian = "little")

# The parts are stored in an environment: a list would be copied on each change, which is slow for thousands of columns.
fb_new <- function() {
  builder <- new.env(parent = emptyenv())
  builder$parts <- new.env(parent = emptyenv(), hash = TRUE)
  builder$count <- 0L
  builder$size <- 0
  builder
}

fb_push <- function(builder, bytes) {
  builder$count <- builder$count + 1L
  assign(as.character(builder$count), bytes, envir = builder$parts)
  builder$size <- builder$size + length(bytes)
  builder$size
}

# Add padding so that the end is aligned after `extra` more bytes.
fb_align <- function(builder, to, extra = 0) {
  missing <- -(builder$size + extra) %% to
  if (missing > 0) fb_push(builder, raw(missing))
}

fb_offset <- function(builder, target) {
  force(target)
  fb_align(builder, 4L)
  fb_push(builder, le32(builder$size + 4 - target))
}

fb_string <- function(builder, text) {
  bytes <- charToRaw(enc2utf8(text))
  fb_align(builder, 4L, length(bytes) + 1)
  fb_push(builder, c(bytes, as.raw(0)))
  fb_push(builder, le32(length(bytes)))
}

# A vector of offsets to tables or strings.
fb_offsets <- function(builder, targets) {
  fb_align(builder, 4L)
  for (target in rev(targets)) fb_offset(builder, target)
  fb_push(builder, le32(length(targets)))
}

# A vector of structs made of 8-byte numbers.
fb_structs <- function(builder, bytes, count) {
  fb_align(builder, 8L, length(bytes))
  fb_push(builder, bytes)
  fb_push(builder, le32(count))
}

# A table. `fields`: by slot from 0, NULL if omitted; an `fb_ref` is an offset, raw bytes are a scalar.
fb_table <- function(builder, fields) {
  end <- builder$size
  places <- numeric(length(fields))
  sizes <- vapply(fields, function(field) if (inherits(field, "fb_ref")) 4L else length(field), 0L)
  for (slot in order(sizes, decreasing = TRUE)) {
    field <- fields[[slot]]
    if (is.null(field)) next
    if (inherits(field, "fb_ref")) {
      fb_offset(builder, unclass(field))
    } else {
      fb_align(builder, length(field))
      fb_push(builder, field)
    }
    places[slot] <- builder$size
  }
  fb_align(builder, 4L)
  # The vtable directly precedes the table, whose first field is the distance to it.
  slots <- 4 + 2 * length(fields)
  # Padded to an even size, so that what follows stays aligned.
  table <- fb_push(builder, le32(slots))
  fb_push(builder, le16(c(slots, table - end, ifelse(places == 0, 0, table - places))))
  structure(table, class = "fb_ref")
}

fb_ref <- function(place) structure(place, class = "fb_ref")

fb_finish <- function(builder, root) {
  # Build it now unless it is built already: it must precede its references.
  force(root)
  fb_align(builder, 8L, 4)
  fb_offset(builder, unclass(root))
  unlist(mget(as.character(rev(seq_len(builder$count))), envir = builder$parts), use.names = FALSE)
}

# ---- reading; positions are zero-based

fb_i32 <- function(bytes, at) readBin(bytes[at + 1:4], "integer", 1L, endian = "little")
fb_u16 <- function(bytes, at) readBin(bytes[at + 1:2], "integer", 1L, size = 2L, signed = FALSE, endian = "little")
fb_i64 <- function(bytes, at) {
  parts <- readBin(bytes[at + 1:8], "integer", 2L, endian = "little")
  parts[2] * 2^32 + (if (is.na(parts[1])) 2^31 else parts[1] %% 2^32)
}

fb_root <- function(bytes) fb_i32(bytes, 0)

# The position of a table's field, or NULL if it is absent.
fb_field <- function(bytes, table, slot) {
  slots <- table - fb_i32(bytes, table)
  if (4 + 2 * slot >= fb_u16(bytes, slots)) return(NULL)
  place <- fb_u16(bytes, slots + 4 + 2 * slot)
  if (place == 0) NULL else table + place
}

fb_scalar <- function(bytes, table, slot, read, default) {
  at <- fb_field(bytes, table, slot)
  if (is.null(at)) default else read(bytes, at)
}

fb_byte <- function(bytes, at) as.integer(bytes[at + 1])

# The target of an offset field, or NULL.
fb_follow <- function(bytes, table, slot) {
  at <- fb_field(bytes, table, slot)
  if (is.null(at)) NULL else at + fb_i32(bytes, at)
}

fb_text <- function(bytes, at) {
  if (is.null(at)) return(NULL)
  size <- fb_i32(bytes, at)
  used <- bytes[at + 4 + seq_len(size)]
  if (any(used == as.raw(0))) stop("a name in it holds a NUL character, which R text cannot", call. = FALSE)
  text <- rawToChar(used)
  Encoding(text) <- "UTF-8"
  text
}

# The tables in a vector of offsets.
fb_tables <- function(bytes, at) {
  if (is.null(at)) return(numeric())
  places <- at + 4 * seq_len(fb_i32(bytes, at))
  vapply(places, function(place) place + fb_i32(bytes, place), 0)
}

# The 8-byte numbers of a vector of structs.
fb_longs <- function(bytes, at, each) {
  if (is.null(at)) return(matrix(0, each, 0))
  count <- fb_i32(bytes, at)
  places <- at + 4 + 8 * (seq_len(count * each) - 1)
  matrix(vapply(places, function(place) fb_i64(bytes, place), 0), nrow = each)
}
