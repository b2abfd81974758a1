# Displays the user's variables as JSON: name, class, dimensions, size in bytes and a preview.
# Methods of the user's own classes are not called, and active bindings are not read.
local({
  mime <- "%MIME%"
  limit <- %LIMIT%
  cut <- function(text) {
    text <- paste(text, collapse = ", ")
    if (nchar(text) > 200) paste0(substr(text, 1, 199), "\u2026") else text
  }
  preview <- function(value) {
    bare <- unclass(value)
    if (is.data.frame(value)) {
      columns <- attr(value, "names")
      return(cut(c(utils::head(columns, 20), if (length(columns) > 20) "\u2026")))
    }
    if (is.factor(value)) {
      return(cut(utils::head(attr(value, "levels")[bare], 10)))
    }
    if (inherits(value, c("Date", "POSIXct"))) {
      return(cut(format(utils::head(value, 6))))
    }
    if (is.character(bare)) {
      return(cut(encodeString(substr(utils::head(bare, 10), 1, 80), quote = "\"")))
    }
    if (is.atomic(bare)) {
      attributes(bare) <- NULL
      return(cut(format(utils::head(bare, 10), trim = TRUE)))
    }
    if (is.list(bare)) {
      names <- attr(bare, "names")
      return(cut(utils::head(if (is.null(names)) vapply(bare, typeof, "") else names, 20)))
    }
    ""
  }
  fact <- function(name) {
    value <- get(name, envir = globalenv(), inherits = FALSE)
    dimensions <- attr(value, "dim")
    if (is.data.frame(value)) dimensions <- c(.row_names_info(value, 2L), length(unclass(value)))
    shape <- if (!is.null(dimensions)) {
      paste(dimensions, collapse = " \u00d7 ")
    } else if (is.vector(unclass(value)) || is.factor(value) || is.list(unclass(value))) {
      as.character(length(unclass(value)))
    }
    known <- list(
      name = name,
      type = paste(class(value), collapse = ", "),
      size = as.numeric(utils::object.size(value)),
      preview = preview(value),
      isTable = FALSE
    )
    if (!is.null(shape)) known$shape <- shape
    known
  }
  is_hidden <- function(name) {
    bindingIsActive(name, globalenv()) || is.function(get(name, envir = globalenv()))
  }
  names <- ls(globalenv(), sorted = FALSE)
  names <- names[!vapply(names, is_hidden, TRUE)]
  listed <- lapply(utils::head(names, limit), function(name) {
    tryCatch(fact(name), error = function(reason) NULL)
  })
  listing <- list(variables = unname(Filter(Negate(is.null), listed)), total = length(names))
  IRdisplay::publish_mimebundle(stats::setNames(list(listing), mime))
})
