"""Many documents: each gets its summary, on the cores of one machine or on a cluster, whatever happens meanwhile.

`run` summarizes what `sources_of` names into a folder, as `Settings` say; `forecast` tells what it will cost, and
`form_of` what form the files of a folder have. The work is done by lanes (`nutgraf/runtime/lanes.py`): processes of this
machine, or actors of a Ray cluster (`cluster.py`).
"""

from nutgraf.batch.folder import form_of
from nutgraf.batch.forecast import Forecast, forecast
from nutgraf.batch.named import sources_of
from nutgraf.batch.progress import Progress, Tell
from nutgraf.batch.run import run
from nutgraf.batch.settings import Settings
from nutgraf.batch.sources import Sources
from nutgraf.runtime.lanes import Lanes
from nutgraf.runtime.workers import local_lanes

__all__ = [
    "Forecast",
    "Lanes",
    "Progress",
    "Settings",
    "Sources",
    "Tell",
    "forecast",
    "form_of",
    "local_lanes",
    "run",
    "sources_of",
]
