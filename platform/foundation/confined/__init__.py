"""Files from outside are read in a process of their own, which may take only so much memory, time and disk.

    confined(read_texts, file)                     # what the function returns
    confined_items(read, file, options)            # what the generator yields, a batch at a time
    with Confined(file.name) as process:           # several questions to one process, which keeps what it opened
        head = process.call(open_table, file)
        for row in process.items(rows):
            ...

A file of a few kilobytes can be made to fill a machine, or to end the process that reads it. So whatever parses such a
file runs beside, in a process (`reader.py`) that reads one file at a time. It is started when it is needed, is kept for
the next file, and ends after some seconds without one, sooner where a file has left it large. What ends it on the
way is said in one sentence: too much memory, too long, or that the file cannot be read; that a file is none of its
format is the parser's own.

Only so many are read at the same time on one machine (`turns.py`): whoever finds no place waits, and a web server
answers 503 before long.

A function is known by its module and name. What it is given and returns is pickled, but for open files, which are
handed over: the process reads the same file. On Linux; elsewhere, and within such a process, the function is called as
it is.
"""

from foundation.confined.process import Confined, confined, confined_items, confines
from foundation.confined.turns import TooManyFiles, wait_at_most

__all__ = ["Confined", "TooManyFiles", "confined", "confined_items", "confines", "wait_at_most"]
