"""Client of a Cellar server: scans and transforms of tables, and the artifact store.

In a cell it is there as `svc` (docs/client.md). Elsewhere: `Client(url, headers)`.
"""

from .client import Client
from .errors import SvcError
from .results import Result

__all__ = ["Client", "Result", "SvcError"]
