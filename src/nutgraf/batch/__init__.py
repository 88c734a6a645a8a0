"""Many documents: each gets its summary, on the cores of one machine or on a cluster, whatever happens meanwhile.

`run.run` summarizes what `named.sources_of` names into a folder, as `settings.Settings` say; `forecast.forecast` tells
what it will cost, and `folder.form_of` what form the files of a folder have. The work is done by lanes
(`runtime/lanes.py`): processes of this machine, or actors of a Ray cluster (`cluster.py`).
"""
