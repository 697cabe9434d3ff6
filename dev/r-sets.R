# Rscript dev/r-sets.R DIR [STAY]: writes 36 sets of R's packages, each with two classes, as CSV into DIR, for
# `motelearn bench-learning --set`; with STAY in an order in which a class lasts so many samples on average. No learner's options were chosen
# on them, but for what docs/results.md says of `auto`. Takes Debian's r-cran-caret, r-cran-kernlab, r-cran-mclust, r-cran-mlbench and
# r-cran-modeldata.
source(file.path(dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))), "r-data.R"))
stay <- as.numeric(commandArgs(trailingOnly = TRUE)[2])

# An order in which classes last: the rows of each class in turn, again from the first where they end.
stays <- function(label, most) {
  rows <- lapply(c(-1, 1), function(class) sample(which(label == class)))
  used <- c(0, 0)
  order <- c()
  now <- 1
  while (length(order) < most) {
    now <- 3 - now
    places <- used[now] + seq_len(1 + rgeom(1, 1 / stay))
    order <- c(order, rows[[now]][(places - 1) %% length(rows[[now]]) + 1])
    used[now] <- max(places)
  }
  head(order, most)
}

# Rows in an order of their own, or in one in which classes last. `positive` is the class +1.
write <- function(name, x, positive, most = 6000) {
  writeRows(name, x, ifelse(positive, 1, -1), function(label) {
    set.seed(5)
    if (is.na(stay)) head(sample(length(label)), most) else stays(label, 3000)
  })
}

set <- of("mlbench", "BreastCancer");        write("breast", set[2:10], set$Class == "malignant")
set <- of("mlbench", "PimaIndiansDiabetes"); write("pima", set[1:8], set$diabetes == "pos")
set <- of("mlbench", "Ionosphere");          write("ionosphere", set[3:34], set$Class == "bad")
set <- of("mlbench", "Sonar");               write("sonar", set[1:60], set$Class == "M")
set <- of("mlbench", "Vehicle");             write("vehicle", set[1:18], set$Class %in% c("bus", "van"))
set <- of("mlbench", "Satellite");           write("satellite", set[1:36], as.integer(set$classes) <= 3)
set <- of("mlbench", "Shuttle");             write("shuttle", set[1:9], set$Class != "Rad.Flow")
set <- of("mlbench", "Vowel");               write("vowel", set[2:10], as.integer(set$Class) <= 5)
set <- of("mlbench", "BostonHousing");       write("boston", set[c(1:3, 5:13)], set$medv > 21)
set <- of("mlbench", "Glass");               write("glass", set[1:9], set$Type %in% c("1", "3"))
set <- of("mlbench", "DNA");                 write("dna", set[seq(1, 180, 3)], set$Class == "n")
set <- of("mlbench", "HouseVotes84")
votes <- sapply(set[2:17], function(vote) ifelse(is.na(vote), 1.5, as.integer(vote)))
write("votes", votes, set$Class == "republican")
set <- of("kernlab", "spam");                write("spam", set[1:57], set$type == "spam")
set <- of("kernlab", "musk");                write("musk", set[1:166], set$Class == 1)
set <- of("caret", "GermanCredit");          write("german", set[c(1:7, 12:40)], set$Class == "Bad")
set <- of("mclust", "wdbc");                 write("wdbc", set[3:32], set$Diagnosis == "M")
set <- of("modeldata", "cells");             write("cells", set[3:58], set$class == "PS")
set <- of("modeldata", "mlc_churn");         write("churn", numbers(set), set$churn == "yes")
set <- of("modeldata", "hpc_data");          write("hpc", numbers(set), set$class == "VF")
set <- of("modeldata", "attrition");         write("attrition", numbers(set), set$Attrition == "Yes")
set <- of("modeldata", "credit_data");       write("credit", numbers(set), set$Status == "bad")
set <- of("modeldata", "two_class_dat");     write("two-class", set[1:2], set$Class == "Class1")
set <- of("modeldata", "wa_churn");          write("wa-churn", numbers(set), set$churn == "Yes")
set <- of("modeldata", "concrete");          write("concrete", set[1:8], set$compressive_strength > 35)
set <- of("modeldata", "meats");             write("meats", set[seq(1, 100, 4)], set$fat > 15)
set <- of("modeldata", "Sacramento");        write("sacramento", numbers(set[names(set) != "price"]), set$price > 220000)

suppressMessages(library(mlbench))
drawn <- function(name, set, positive = as.integer(set$classes) == 1) write(name, set$x, positive)
set.seed(3)
drawn("twonorm", mlbench.twonorm(4000))
drawn("ringnorm", mlbench.ringnorm(4000))
drawn("threenorm", mlbench.threenorm(4000))
drawn("waves", mlbench.waveform(4000))
drawn("circle-4", mlbench.circle(4000, 4))
drawn("two-spirals", mlbench.spirals(4000, 1.5, 0.05))
drawn("xor-3", mlbench.xor(4000, 3))
drawn("cassini", mlbench.cassini(4000))
set <- mlbench.friedman1(4000); drawn("friedman-1", set, set$y > 14)
set <- mlbench.friedman2(4000); drawn("friedman-2", set, set$y > 400)
