"""What formats of tables share: columns, CSV records, cells that are safe in spreadsheets, Parquet. No Django."""
