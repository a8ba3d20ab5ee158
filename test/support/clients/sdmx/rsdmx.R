# What rsdmx, an independent reader of SDMX-ML, reads from a server: one line for each fact, which test/faults/sdmx-clients.ts
# compares with what was published.
suppressPackageStartupMessages(library(rsdmx))
base <- Sys.getenv("SDMX_BASE")
headers <- list(Authorization = paste("Bearer", Sys.getenv("SDMX_KEY")))
read <- function(path) readSDMX(paste0(base, path), headers = headers, logger = NULL)

flows <- as.data.frame(read("/structure/dataflow/ASSIZE"))
cat("flows", paste(sort(flows$id), collapse = " "), "\n")

codes <- as.data.frame(read("/structure/codelist/ASSIZE/CL_CUSTOM_SERIES"))
cat("codes", paste(sort(codes$id), collapse = " "), "\n")

structure <- read("/structure/datastructure/ASSIZE/CUSTOM?references=children")
components <- slot(slot(slot(structure, "datastructures"), "datastructures")[[1]], "Components")
dimensions <- sapply(slot(components, "Dimensions"), function(each) slot(each, "conceptRef"))
cat("dimensions", paste(dimensions, collapse = " "), "\n")
cat("time", slot(slot(components, "TimeDimension"), "conceptRef"), "\n")
cat("measure", slot(slot(components, "PrimaryMeasure"), "conceptRef"), "\n")
attributes <- sapply(slot(components, "Attributes"), function(each) slot(each, "conceptRef"))
cat("attributes", paste(attributes, collapse = " "), "\n")

show <- function(name, data) for (i in seq_len(nrow(data)))
  cat(name, data$SERIES[i], data$FREQ[i], data$TIME_PERIOD[i], data$OBS_VALUE[i], data$VERSION_TAG[i], "\n")
show("now", as.data.frame(read("/data/dataflow/ASSIZE/CUSTOM")))
show("then", as.data.frame(read("/data/dataflow/ASSIZE/CUSTOM/1.0/metal.M?asOf=2024-04-14")))
newer <- readSDMX(paste0(base, "/data/dataflow/ASSIZE/CUSTOM/1.0/metal.M?format=xml"), headers = headers, logger = NULL)
show("newer", as.data.frame(newer))
