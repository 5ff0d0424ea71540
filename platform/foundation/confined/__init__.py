"""Files from outside are read in a process of their own, which may take only so much memory, time and disk.

    confined(read_texts, file)                     # what the function returns
    confined_items(read, file, options)            # what the generator yields, a batch at a time
    with Confined(file.name) as process:           # several questions to one process, which keeps what it opened
        head = process.call(open_table, file)
        for row in process.items(rows):
            ...

A file of a few kilobytes can be made to fill a machine, or to end the process that reads it. So the parser of such a
file runs in a process beside (`reader.py`), which reads one file at a time. It is started when it is needed, is kept
for the next file, and ends after some seconds without one, sooner where a file has left it large. If it ends on the
way, one sentence says why: too much memory, too long, or that the file cannot be read. The parser itself says that a
file is not of its format.

Only so many files are read at the same time on one machine (`turns.py`): a process that finds no place waits, and a web
server answers 503 before long.

A function is known by its module and name. Its arguments and results are pickled, but for open files, which are handed
over: the process reads the same file. This is so on Linux; elsewhere, and within such a process, the function is called
directly.
"""

from foundation.confined.process import Confined, confined, confined_items, confines
from foundation.confined.turns import TooManyFiles, wait_at_most

__all__ = ["Confined", "TooManyFiles", "confined", "confined_items", "confines", "wait_at_most"]
