"""Client of a Cellar server: scans and transforms of tables, and the artifact store.

Cells have it as `svc` (docs/client.md). Elsewhere, create it with `Client(url, headers)`.
"""

from .client import Client
from .errors import SvcError
from .results import Result

__all__ = ["Client", "Result", "SvcError"]
