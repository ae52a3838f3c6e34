# Arrow IPC messages: schema, dictionary batches and record batches, with their framing in a stream.

TYPE <- c(
  null = 1L, int = 2L, float = 3L, binary = 4L, utf8 = 5L, bool = 6L, decimal = 7L, date = 8L, time = 9L,
  timestamp = 10L, interval = 11L, list = 12L, struct = 13L, union = 14L, fixed_binary = 15L, fixed_list = 16L,
  map = 17L, duration = 18L, large_binary = 19L, large_utf8 = 20L, large_list = 21L
)
PER_SECOND <- c(1, 1e3, 1e6, 1e9)
VERSION_5 <- 4L
HEADER <- c(schema = 1L, dictionary = 2L, batch = 3L)

# ---- writing. A column to write: list(name, type, ..., children, dictionary)

arrow_type_table <- function(builder, column) {
  fields <- switch(column$type,
    int = list(le32(column$bits), as.raw(1)),
    float = list(le16(2L)),
    date = list(le16(0L)),
    timestamp = list(le16(2L), if (!is.null(column$zone)) fb_ref(fb_string(builder, column$zone))),
    duration = list(le16(2L)),
    list()
  )
  fb_table(builder, fields)
}

arrow_field <- function(builder, column) {
  children <- vapply(column$children, function(child) unclass(arrow_field(builder, child)), 0)
  children <- fb_ref(fb_offsets(builder, children))
  dictionary <- if (!is.null(column$dictionary)) {
    index <- fb_table(builder, list(le32(32L), as.raw(1)))
    fb_table(builder, list(le64(column$dictionary), index, as.raw(column$ordered)))
  }
  name <- fb_ref(fb_string(builder, column$name))
  type <- arrow_type_table(builder, column)
  fb_table(builder, list(name, as.raw(1), as.raw(TYPE[[column$type]]), type, dictionary, children))
}

arrow_pairs <- function(builder, pairs) {
  places <- vapply(names(pairs), function(key) {
    value <- fb_ref(fb_string(builder, pairs[[key]]))
    unclass(fb_table(builder, list(fb_ref(fb_string(builder, key)), value)))
  }, 0)
  fb_ref(fb_offsets(builder, places))
}

arrow_schema_message <- function(columns, metadata) {
  builder <- fb_new()
  fields <- vapply(columns, function(column) unclass(arrow_field(builder, column)), 0)
  fields <- fb_ref(fb_offsets(builder, fields))
  pairs <- arrow_pairs(builder, metadata)
  schema <- fb_table(builder, list(le16(0L), fields, pairs))
  arrow_message(builder, "schema", schema, 0)
}

# `nodes`: length and null count of each column; `sizes`: bytes of each buffer. Buffers are consecutive, 8-byte aligned.
arrow_batch_message <- function(rows, nodes, sizes, dictionary = NULL) {
  builder <- fb_new()
  padded <- ceiling(sizes / 8) * 8
  starts <- cumsum(padded) - padded
  buffers <- fb_ref(fb_structs(builder, le64(as.vector(rbind(starts, sizes))), length(sizes)))
  nodes <- fb_ref(fb_structs(builder, le64(as.vector(nodes)), ncol(nodes)))
  batch <- fb_table(builder, list(le64(rows), nodes, buffers))
  kind <- "batch"
  if (!is.null(dictionary)) {
    batch <- fb_table(builder, list(le64(dictionary), batch))
    kind <- "dictionary"
  }
  arrow_message(builder, kind, batch, sum(padded))
}

# The part of a message before its body: continuation marker, size, metadata padded to 8 bytes.
arrow_message <- function(builder, kind, header, bodySize) {
  fields <- list(le16(VERSION_5), as.raw(HEADER[[kind]]), header, le64(bodySize))
  bytes <- fb_finish(builder, fb_table(builder, fields))
  padding <- -length(bytes) %% 8
  c(as.raw(rep(255, 4)), le32(length(bytes) + padding), bytes, raw(padding))
}

# ---- reading

arrow_read_type <- function(bytes, field) {
  code <- fb_scalar(bytes, field, 2, fb_byte, 0L)
  name <- names(TYPE)[match(code, TYPE)]
  if (is.na(name)) stop(
    "it has an Arrow column of a kind R cells do not read (type ", code, "). Cast it to numbers, text or dates before",
    call. = FALSE
  )
  at <- fb_follow(bytes, field, 3)
  i32 <- function(slot, default) fb_scalar(bytes, at, slot, fb_i32, default)
  u16 <- function(slot, default) fb_scalar(bytes, at, slot, fb_u16, default)
  facts <- switch(name,
    int = list(bits = i32(0, 0L), signed = fb_scalar(bytes, at, 1, fb_byte, 0L) == 1L),
    float = list(precision = u16(0, 0L)),
    decimal = list(scale = i32(1, 0L), bits = i32(2, 128L)),
    date = list(unit = u16(0, 1L)),
    time = list(unit = u16(0, 1L), bits = i32(1, 32L)),
    timestamp = list(unit = u16(0, 0L), zone = fb_text(bytes, fb_follow(bytes, at, 1))),
    duration = list(unit = u16(0, 1L)),
    fixed_binary = list(width = i32(0, 0L)),
    fixed_list = list(width = i32(0, 0L)),
    list()
  )
  c(list(type = name), facts)
}

arrow_read_field <- function(bytes, field) {
  column <- arrow_read_type(bytes, field)
  column$name <- fb_text(bytes, fb_follow(bytes, field, 0))
  if (is.null(column$name)) column$name <- ""
  column$children <- lapply(fb_tables(bytes, fb_follow(bytes, field, 5)), function(child) arrow_read_field(bytes, child))
  dictionary <- fb_follow(bytes, field, 4)
  if (!is.null(dictionary)) {
    index <- fb_follow(bytes, dictionary, 1)
    column$dictionary <- list(
      id = fb_scalar(bytes, dictionary, 0, fb_i64, 0),
      bits = if (is.null(index)) 32L else fb_scalar(bytes, index, 0, fb_i32, 0L),
      signed = is.null(index) || fb_scalar(bytes, index, 1, fb_byte, 0L) == 1L,
      ordered = fb_scalar(bytes, dictionary, 2, fb_byte, 0L) == 1L
    )
  }
  column
}

arrow_read_schema <- function(bytes, schema) {
  if (fb_scalar(bytes, schema, 0, fb_u16, 0L) != 0L) stop("its bytes are in big-endian order", call. = FALSE)
  pairs <- fb_tables(bytes, fb_follow(bytes, schema, 2))
  values <- lapply(pairs, function(pair) fb_text(bytes, fb_follow(bytes, pair, 1)))
  names(values) <- vapply(pairs, function(pair) fb_text(bytes, fb_follow(bytes, pair, 0)), "")
  fields <- fb_tables(bytes, fb_follow(bytes, schema, 1))
  list(columns = lapply(fields, function(field) arrow_read_field(bytes, field)), metadata = values)
}

arrow_read_batch <- function(bytes, batch) {
  if (!is.null(fb_field(bytes, batch, 3))) stop("its Arrow buffers are compressed", call. = FALSE)
  list(
    rows = fb_scalar(bytes, batch, 0, fb_i64, 0),
    nodes = fb_longs(bytes, fb_follow(bytes, batch, 1), 2),
    buffers = fb_longs(bytes, fb_follow(bytes, batch, 2), 2)
  )
}
