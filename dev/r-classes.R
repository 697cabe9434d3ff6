# Rscript dev/r-classes.R DIR: writes 16 sets of R's packages with 3 to 26 classes as CSV into DIR, for `motelearn bench-learning --set`. No
# learner's options were chosen on them. In those named -stays a class lasts 30 samples on average. Takes Debian's r-cran-mclust,
# r-cran-mlbench, r-cran-modeldata and r-cran-ggplot2.
source(file.path(dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))), "r-data.R"))

# An order in which classes last: the rows of each class in turn, again from the first where they end.
stays <- function(class, most) {
  rows <- lapply(seq_len(max(class)), function(c) sample(which(class == c)))
  used <- rep(0, max(class))
  order <- c()
  now <- 0
  while (length(order) < most) {
    now <- sample(setdiff(seq_len(max(class)), now), 1)
    places <- used[now] + seq_len(1 + rgeom(1, 1 / 30))
    order <- c(order, rows[[now]][(places - 1) %% length(rows[[now]]) + 1])
    used[now] <- max(places)
  }
  head(order, most)
}

# Rows in an order of their own, or in which classes last.
write <- function(name, x, class, most = 3000, last = FALSE) {
  writeRows(name, x, as.integer(factor(class)) - 1, function(label) {
    set.seed(7)
    if (last) stays(label + 1, most) else head(sample(length(label)), most)
  })
}
both <- function(name, x, class, most = 3000) {
  write(name, x, class, most)
  write(paste0(name, "-stays"), x, class, most, TRUE)
}

set <- of("modeldata", "hpc_data"); write("hpc", numbers(set), set$class)
set <- of("modeldata", "penguins"); both("penguins", numbers(set), set$species, 2000)
set <- of("mclust", "thyroid");     write("thyroid", set[-1], set$Diagnosis)
set <- as.data.frame(ggplot2::diamonds)
write("cut", numbers(set), set$cut)
write("colour", numbers(set), set$color)
set <- of("mlbench", "LetterRecognition"); write("letters", numbers(set), set$lettr)
set <- of("mlbench", "Soybean")
write("soybean", lapply(set[-1], function(code) ifelse(is.na(code), 0, as.integer(code))), set$Class)

suppressMessages(library(mlbench))
set.seed(11)
set <- mlbench.shapes(3000);    write("shapes", set$x + rnorm(6000, sd = 0.15), set$classes)
set <- mlbench.hypercube(3000, d = 3, sides = rep(1, 3), sd = 0.3); both("corners", set$x, set$classes)
# Classes that are normal, each with a covariance of its own.
mixture <- function(n, K, d, spread) {
  centres <- matrix(rnorm(K * d), K) * spread
  shapes <- lapply(1:K, function(k) matrix(rnorm(d * d), d) / sqrt(d))
  class <- sample(K, n, TRUE)
  list(x = t(sapply(class, function(k) centres[k, ] + shapes[[k]] %*% rnorm(d))), class = class)
}
set <- mixture(3000, 5, 6, 1.2); both("normal-5", set$x, set$class)
set <- mixture(3000, 3, 8, 0.8); both("normal-3", set$x, set$class)
set <- mixture(3000, 10, 6, 1.5); write("normal-10", set$x, set$class)
