# Displays of a cell: pages of plots, and values passed to display().

PAGE_WIDTH <- 800L
PAGE_HEIGHT <- 600L
# Resolution for devices that measure in inches, the same as for PNG.
DOTS_PER_INCH <- 72

displays_new <- function(folder) {
  displays <- new.env(parent = emptyenv())
  displays$folder <- folder
  displays$shown <- list()
  displays$devices <- 0L
  displays$device <- -1L
  # Pages opened by the harness's own devices, in order; a file appears when its page is complete.
  displays$pages <- character()
  displays$page <- 0L
  displays
}

# From now on, plots go to pages here unless the cell opens its own device: PNG, or SVG after
# options(cellar.plots = "svg").
displays_catch_plots <- function(displays) {
  options(device = function(...) open_pages(displays))
  setHook("before.plot.new", function() if (is_ours(displays) && graphics::par("page")) begin_page(displays))
  setHook("before.grid.newpage", function() if (is_ours(displays)) begin_page(displays))
}

open_pages <- function(displays) {
  displays$devices <- displays$devices + 1L
  displays$page <- 0L
  displays$kind <- plot_kind()
  pattern <- file.path(displays$folder, sprintf("page-%d-%%d.%s", displays$devices, displays$kind))
  if (displays$kind == "svg") {
    grDevices::svg(pattern, width = PAGE_WIDTH / DOTS_PER_INCH, height = PAGE_HEIGHT / DOTS_PER_INCH, onefile = FALSE)
  } else {
    type <- if (capabilities("cairo")) "cairo" else getOption("bitmapType")
    grDevices::png(pattern, width = PAGE_WIDTH, height = PAGE_HEIGHT, type = type)
  }
  displays$device <- grDevices::dev.cur()
  invisible()
}

# The format of the next device. An invalid option, or one this R does not support, causes a warning and PNG.
plot_kind <- function() {
  wanted <- getOption("cellar.plots", "png")
  if (identical(wanted, "png")) return("png")
  if (!identical(wanted, "svg")) {
    warning("options(cellar.plots) is \"png\" or \"svg\"", call. = FALSE)
    return("png")
  }
  if (capabilities("cairo")) return("svg")
  warning("this R draws no SVG: it was built without cairo", call. = FALSE)
  "png"
}

# Whether the next plot goes to one of our pages, including one that would be opened for it.
is_ours <- function(displays) {
  if (grDevices::dev.cur() == 1L) grDevices::dev.new()
  grDevices::dev.cur() == displays$device
}

begin_page <- function(displays) {
  displays$page <- displays$page + 1L
  file <- sprintf("page-%d-%d.%s", displays$devices, displays$page, displays$kind)
  displays$shown[[length(displays$shown) + 1L]] <- list(page = file)
}

displays_add <- function(displays, entry) {
  displays$shown[[length(displays$shown) + 1L]] <- entry
}

# Close open devices and return the display entries of the result.
displays_end <- function(displays) {
  grDevices::graphics.off()
  seen <- vapply(displays$shown, function(entry) if (is.null(entry$page)) "" else entry$page, "")
  left <- setdiff(list.files(displays$folder, "^page-[0-9]+-[0-9]+[.](png|svg)$"), seen)
  for (file in left) displays_add(displays, list(page = file))
  entries <- lapply(displays$shown, function(entry) if (is.null(entry$page)) entry else page_entry(displays, entry$page))
  Filter(Negate(is.null), entries)
}

page_entry <- function(displays, page) {
  path <- file.path(displays$folder, page)
  if (!file.exists(path)) return(NULL)
  displays$count <- if (is.null(displays$count)) 0L else displays$count + 1L
  kind <- sub(".*[.]", "", page)
  file <- sprintf("__display__plot_%d.%s", displays$count, kind)
  file.rename(path, file.path(displays$folder, file))
  list(
    content_type = if (kind == "svg") "image/svg+xml" else "image/png", file = file, bytes = file.size(file.path(displays$folder, file)),
    preview = NULL, width = PAGE_WIDTH, height = PAGE_HEIGHT
  )
}

# Functions every cell has in addition to base R; the cell's own names take precedence.
cell_tools <- function(displays) {
  list(
    display = function(value) {
      file <- sprintf("__display__value_%d", length(displays$shown))
      entry <- if (inherits(value, "svc_markdown")) markdown_entry(value, displays$folder, file)
      else display_entry(value, displays$folder, file)
      displays_add(displays, entry)
      invisible(value)
    },
    Markdown = function(text) structure(list(text = paste(text, collapse = "\n")), class = "svc_markdown"),
    q = quit_cell,
    quit = quit_cell
  )
}

quit_cell <- function(save = "no", status = 0, runLast = TRUE) {
  stop(structure(list(message = "quit", call = NULL, status = status), class = c("svc_quit", "error", "condition")))
}

# A table is displayed with twenty rows; other values are displayed like variables.
display_entry <- function(value, folder, file) {
  entry <- value_entry(value, folder, file)
  if (entry$content_type != CONTENT$table) return(entry)
  head <- utils::head(value, 20L)
  cells <- lapply(head, function(column) if (is.object(column) || is.list(column)) format(column) else column)
  entry$preview <- as_raw_json(table_rows_json(cells, nrow(head)))
  entry
}

table_rows_json <- function(columns, rows) {
  parts <- lapply(columns, function(column) {
    isCell <- is.logical(column) || is.numeric(column)
    texts <- if (isCell) json_atoms(unname(column), TRUE) else json_quote(substr(as.character(column), 1L, 200L))
    ifelse(is.na(column) & !(is.double(column) & is.nan_safe(column)), "null", texts)
  })
  if (rows == 0L) return("[]")
  lines <- if (length(parts) == 0L) rep("", rows) else do.call(paste, c(unname(parts), sep = ","))
  paste0("[", paste0("[", lines, "]", collapse = ","), "]")
}

markdown_entry <- function(value, folder, file) {
  written <- stored(folder, file, ".md", function(path) write_text(value$text, path))
  c(list(content_type = "text/markdown"), written, list(preview = substr(value$text, 1L, PREVIEW_CHARACTERS)))
}
