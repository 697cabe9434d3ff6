# For r-sets.R and r-classes.R: sets of R's packages, and the folder to which they are written as CSV.
folder <- commandArgs(trailingOnly = TRUE)[1]
if (is.na(folder)) stop("takes the folder to write to")
dir.create(folder, showWarnings = FALSE, recursive = TRUE)

of <- function(package, name) {
  place <- new.env()
  data(list = name, package = package, envir = place)
  place[[name]]
}

numbers <- function(set) set[sapply(set, is.numeric)]

# Writes the rows without gaps that `order` picks by their labels, without columns that never vary.
writeRows <- function(name, x, label, order) {
  x <- as.data.frame(lapply(as.data.frame(x), as.numeric))
  whole <- complete.cases(x) & !is.na(label)
  x <- x[whole, sapply(x[whole, , drop = FALSE], function(column) length(unique(column)) > 1), drop = FALSE]
  label <- label[whole]
  rows <- order(label)
  file <- file.path(folder, paste0(name, ".csv"))
  write.csv(cbind(x[rows, , drop = FALSE], label = label[rows]), file, row.names = FALSE, quote = FALSE)
}
