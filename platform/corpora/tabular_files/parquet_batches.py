"""Parquet as rows, a batch at a time; what its metadata says of its size is looked at before anything is decoded."""

from collections.abc import Iterator
from typing import IO, Any

from corpora.text_files.zip_members import EXPANDED_LIMIT, too_large


def parquet_file(stream: IO[bytes], name: str) -> Any:
    """The open file; raises pyarrow.ArrowException where it is none."""
    from pyarrow import parquet  # heavy: loaded where such a file is read, and nowhere else

    file = parquet.ParquetFile(stream, pre_buffer=False)
    said = sum(file.metadata.row_group(number).total_byte_size for number in range(file.metadata.num_row_groups))
    if said > EXPANDED_LIMIT:
        raise too_large(name)
    return file


def batches(file: Any, name: str, rows: int) -> Iterator[list[dict[str, Any]]]:
    """Rows as mappings. A dictionary unfolds to more than the metadata says, which is counted on the way."""
    size = 0
    for batch in file.iter_batches(rows, use_threads=False):
        size += batch.nbytes
        if size > EXPANDED_LIMIT:
            raise too_large(name)
        yield batch.to_pylist()
