"""A refereed game without I/O: captures, commands and the time go in; events to write and wishes come out."""
