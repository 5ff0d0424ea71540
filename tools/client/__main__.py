"""Write the made parts of the client anew, after a change of the API or of `client/restyle/_async`."""

import sys

from tools.client.sync_half import write_sync_half
from tools.client.types_of_answers import write_types

if __name__ == "__main__":
    write_types()
    for path in write_sync_half():
        sys.stdout.write(f"{path}\n")
